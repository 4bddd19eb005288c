-- Pairs of finished attempts that an operator put up for votes.
CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    about TEXT NOT NULL,
    votes_wanted BIGINT NOT NULL,
    created BIGINT NOT NULL,
    created_by TEXT NOT NULL
);
-- `document` is the battle, in its own versioned format; the columns beside it are what is searched by. Times are
-- milliseconds.
CREATE TABLE battles (
    id TEXT PRIMARY KEY,
    study TEXT REFERENCES studies (id) ON DELETE CASCADE,
    place BIGINT NOT NULL,
    phase TEXT NOT NULL,
    votes BIGINT NOT NULL,
    votes_wanted BIGINT NOT NULL,
    closed BIGINT,
    document TEXT NOT NULL
);
-- The next battle of a study is the first of these that somebody may have.
CREATE INDEX battles_by_study ON battles (study, phase, votes DESC, place);
CREATE INDEX battles_by_closing ON battles (closed, id);
-- Who was shown a battle: only they may see it again, and how long they looked is counted from here.
CREATE TABLE battle_views (
    battle TEXT NOT NULL REFERENCES battles (id) ON DELETE CASCADE,
    voter TEXT NOT NULL,
    shown BIGINT NOT NULL,
    names_hidden BIGINT NOT NULL,
    voted BIGINT,
    PRIMARY KEY (battle, voter)
);
CREATE INDEX battle_views_by_voter ON battle_views (voter, voted);
-- What a battle is about, so that one who has still to vote on it is not told elsewhere.
CREATE TABLE battle_attempts (
    battle TEXT NOT NULL REFERENCES battles (id) ON DELETE CASCADE,
    run TEXT NOT NULL,
    attempt TEXT NOT NULL,
    PRIMARY KEY (battle, run, attempt)
);
CREATE INDEX battle_attempts_by_run ON battle_attempts (run, attempt);
-- Rows are added and read, never changed. One voter, one ballot.
CREATE TABLE ballots (
    battle TEXT NOT NULL REFERENCES battles (id),
    voter TEXT NOT NULL,
    cast_at BIGINT NOT NULL,
    ballot TEXT NOT NULL,
    PRIMARY KEY (battle, voter)
);
CREATE INDEX ballots_by_time ON ballots (cast_at);
-- Voters whose ballots an operator does not want counted.
CREATE TABLE left_out_voters (
    voter TEXT PRIMARY KEY,
    why TEXT NOT NULL,
    since BIGINT NOT NULL,
    left_out_by TEXT NOT NULL
);
