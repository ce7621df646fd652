-- One row a table of the club; its status is what it looks like now, `beat_s` when it said so.
CREATE TABLE club_tables (
    name TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    status TEXT NOT NULL,
    is_open BIGINT NOT NULL,
    beat_s DOUBLE PRECISION NOT NULL
);

-- The records that tables have written, and how far each was copied: the last rows of its three tables.
CREATE TABLE records (
    uid TEXT PRIMARY KEY,
    table_name TEXT NOT NULL,
    events_at BIGINT NOT NULL DEFAULT 0,
    corrections_at BIGINT NOT NULL DEFAULT 0,
    counts_at BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE matches (
    record TEXT NOT NULL REFERENCES records (uid),
    id BIGINT NOT NULL,
    source TEXT NOT NULL,
    ruleset TEXT NOT NULL,
    options TEXT NOT NULL,
    started_at TEXT NOT NULL,
    players TEXT NOT NULL,
    PRIMARY KEY (record, id)
);

CREATE TABLE rounds (
    record TEXT NOT NULL,
    id BIGINT NOT NULL,
    match_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    started_at TEXT NOT NULL,
    PRIMARY KEY (record, id),
    FOREIGN KEY (record, match_id) REFERENCES matches (record, id)
);

-- Facts: what was seen, heard or pressed, and what the referee said of it. `word` is the type of the line.
CREATE TABLE events (
    record TEXT NOT NULL,
    round_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    t_s DOUBLE PRECISION NOT NULL,
    word TEXT NOT NULL,
    said_by TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (record, round_id, seq),
    FOREIGN KEY (record, round_id) REFERENCES rounds (record, id)
);

-- Opinions: what a person said of facts. `word` is the action.
CREATE TABLE corrections (
    record TEXT NOT NULL,
    round_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    t_s DOUBLE PRECISION NOT NULL,
    word TEXT NOT NULL,
    said_by TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (record, round_id, seq),
    FOREIGN KEY (record, round_id) REFERENCES rounds (record, id)
);

-- Counts after the round, drafts and confirmations alike; the last line counts.
CREATE TABLE counts (
    record TEXT NOT NULL,
    round_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    t_s DOUBLE PRECISION NOT NULL,
    word TEXT NOT NULL,
    said_by TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (record, round_id, seq),
    FOREIGN KEY (record, round_id) REFERENCES rounds (record, id)
);

CREATE VIEW log AS
SELECT record, round_id, seq, line FROM events
UNION ALL SELECT record, round_id, seq, line FROM corrections
UNION ALL SELECT record, round_id, seq, line FROM counts;
