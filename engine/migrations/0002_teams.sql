-- Partners share one total; a player without a team plays alone.
ALTER TABLE players ADD COLUMN team TEXT;
