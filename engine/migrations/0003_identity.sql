-- Tells this record from any other one, also after its folder was emptied and begun anew.
CREATE TABLE identity (uid TEXT NOT NULL) STRICT;
INSERT INTO identity (uid) VALUES (lower(hex(randomblob(16))));
