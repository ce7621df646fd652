CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_keep BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER corrections_stay BEFORE UPDATE ON corrections
BEGIN SELECT RAISE(ABORT, 'corrections are append-only'); END;
CREATE TRIGGER corrections_keep BEFORE DELETE ON corrections
BEGIN SELECT RAISE(ABORT, 'corrections are append-only'); END;
CREATE TRIGGER counts_stay BEFORE UPDATE ON counts BEGIN SELECT RAISE(ABORT, 'counts are append-only'); END;
CREATE TRIGGER counts_keep BEFORE DELETE ON counts BEGIN SELECT RAISE(ABORT, 'counts are append-only'); END;
