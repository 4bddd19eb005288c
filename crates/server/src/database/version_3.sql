-- Battles that visitors asked for: what is to be run (`wish`, JSON), and why one ended without a vote. `ended` is when both
-- sides had; times are milliseconds.
CREATE TABLE contests (
    battle TEXT PRIMARY KEY REFERENCES battles (id) ON DELETE CASCADE,
    visitor TEXT NOT NULL,
    asked BIGINT NOT NULL,
    ended BIGINT,
    wish TEXT NOT NULL,
    note TEXT NOT NULL
);
CREATE INDEX contests_by_visitor ON contests (visitor, asked);
CREATE INDEX battles_by_phase ON battles (phase);
