CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    source TEXT NOT NULL,
    ruleset TEXT NOT NULL,
    options TEXT NOT NULL,
    started_at TEXT NOT NULL
) STRICT;

CREATE TABLE players (
    match_id INTEGER NOT NULL REFERENCES matches (id),
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    seat TEXT,
    deck TEXT,
    PRIMARY KEY (match_id, place),
    UNIQUE (match_id, name)
) STRICT;

CREATE TABLE rounds (
    id INTEGER PRIMARY KEY,
    match_id INTEGER NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    UNIQUE (match_id, number)
) STRICT;

-- Facts: what was seen, heard or pressed, and what the referee said of it.
CREATE TABLE events (
    round_id INTEGER NOT NULL REFERENCES rounds (id),
    seq INTEGER NOT NULL,
    t_s REAL NOT NULL,
    type TEXT NOT NULL,
    line TEXT NOT NULL,
    UNIQUE (round_id, seq)
) STRICT;

-- Opinions: what a person said of facts.
CREATE TABLE corrections (
    round_id INTEGER NOT NULL REFERENCES rounds (id),
    seq INTEGER NOT NULL,
    t_s REAL NOT NULL,
    action TEXT NOT NULL,
    by TEXT NOT NULL,
    line TEXT NOT NULL,
    UNIQUE (round_id, seq)
) STRICT;

-- Counts after the round, drafts and confirmations alike; the last line counts.
CREATE TABLE counts (
    round_id INTEGER NOT NULL REFERENCES rounds (id),
    seq INTEGER NOT NULL,
    t_s REAL NOT NULL,
    by TEXT NOT NULL,
    line TEXT NOT NULL,
    UNIQUE (round_id, seq)
) STRICT;

CREATE VIEW log AS
SELECT round_id, seq, line FROM events
UNION ALL SELECT round_id, seq, line FROM corrections
UNION ALL SELECT round_id, seq, line FROM counts;

CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_keep BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER corrections_stay BEFORE UPDATE ON corrections
BEGIN SELECT RAISE(ABORT, 'corrections are append-only'); END;
CREATE TRIGGER corrections_keep BEFORE DELETE ON corrections
BEGIN SELECT RAISE(ABORT, 'corrections are append-only'); END;
CREATE TRIGGER counts_stay BEFORE UPDATE ON counts BEGIN SELECT RAISE(ABORT, 'counts are append-only'); END;
CREATE TRIGGER counts_keep BEFORE DELETE ON counts BEGIN SELECT RAISE(ABORT, 'counts are append-only'); END;

-- Commands already carried out, so that a double click does nothing twice.
CREATE TABLE commands (
    id TEXT PRIMARY KEY,
    round_id INTEGER NOT NULL REFERENCES rounds (id)
) STRICT;

-- Where the eyes were: one row a round, replaced together with the events it belongs to.
CREATE TABLE checkpoints (
    round_id INTEGER PRIMARY KEY REFERENCES rounds (id),
    seq INTEGER NOT NULL,
    frame_index INTEGER NOT NULL,
    t_s REAL NOT NULL,
    finished INTEGER NOT NULL,
    state TEXT NOT NULL
) STRICT;
