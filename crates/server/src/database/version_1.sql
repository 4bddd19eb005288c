-- Derived from the files of runs; may be emptied at any time.
CREATE TABLE indexed_attempts (
    run TEXT NOT NULL,
    attempt TEXT NOT NULL,
    stamp TEXT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (run, attempt)
);
CREATE TABLE indexed_runs (
    run TEXT PRIMARY KEY,
    line TEXT NOT NULL
);

CREATE TABLE accounts (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    created BIGINT NOT NULL
);
-- Tokens are kept as digests: whoever reads this table can sign in as nobody.
CREATE TABLE sessions (
    token_digest TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (name) ON DELETE CASCADE,
    expires BIGINT NOT NULL
);
CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    noted BIGINT NOT NULL,
    who TEXT NOT NULL,
    did TEXT NOT NULL,
    about TEXT NOT NULL
);
CREATE INDEX audit_by_time ON audit (noted);

CREATE TABLE label_queues (
    id TEXT PRIMARY KEY,
    run TEXT NOT NULL,
    title TEXT NOT NULL,
    chosen TEXT NOT NULL,
    overlap BIGINT NOT NULL,
    created BIGINT NOT NULL,
    created_by TEXT NOT NULL
);
CREATE TABLE label_items (
    queue TEXT NOT NULL REFERENCES label_queues (id) ON DELETE CASCADE,
    place BIGINT NOT NULL,
    attempt TEXT NOT NULL,
    PRIMARY KEY (queue, place)
);
CREATE TABLE label_assignments (
    queue TEXT NOT NULL,
    place BIGINT NOT NULL,
    annotator TEXT NOT NULL,
    assigned BIGINT NOT NULL,
    saved BIGINT,
    PRIMARY KEY (queue, place, annotator),
    FOREIGN KEY (queue, place) REFERENCES label_items (queue, place) ON DELETE CASCADE
);
