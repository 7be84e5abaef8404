-- What a deposit counts for its payment, in units of the asset the payment asks for: fixed when it is decided whose money
-- it is; null while it counts for nothing (money.md 3.5, 4.5).
ALTER TABLE deposits ADD COLUMN counted_units numeric(78, 0) CHECK (counted_units >= 0);

-- A chain of hashes over the journal, so that an entry that is changed behind the program's back is noticed (money.md 4.7).
-- A seal is marked first, up to the newest entry; it is closed once every transaction that was open then has ended, because
-- until then entries with smaller numbers may still come.
CREATE TABLE journal_seals (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  first_id bigint NOT NULL,
  last_id bigint NOT NULL CHECK (last_id >= first_id),
  -- The first transaction that had not begun when it was marked (pg_snapshot_xmax).
  horizon xid8 NOT NULL,
  prev_hash bytea NOT NULL,
  hash bytea,
  marked_at timestamptz NOT NULL,
  sealed_at timestamptz,
  CHECK ((hash IS NULL) = (sealed_at IS NULL))
);
CREATE UNIQUE INDEX journal_seals_one_open ON journal_seals ((true)) WHERE hash IS NULL;
CREATE UNIQUE INDEX journal_seals_in_line ON journal_seals (first_id);

-- How far a check of the books reached, so that the next looks at what came since.
ALTER TABLE book_checks
  -- Everything up to this entry was looked at; it was sealed by then, so nothing can come before it.
  ADD COLUMN through_entry bigint NOT NULL DEFAULT 0,
  -- When the last check that looked at everything was made.
  ADD COLUMN full_at timestamptz;
