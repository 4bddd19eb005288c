-- Where a battle was shown, as a keyed hash, for those without an account: one place has only so many before it at a time.
ALTER TABLE battle_views ADD COLUMN origin TEXT;
CREATE INDEX battle_views_by_origin ON battle_views (origin, voted);
