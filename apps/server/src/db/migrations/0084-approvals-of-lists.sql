-- One confirmation of several payouts (money.md X-2): the digests of their bytes, in order, and the SHA-256 over them.
CREATE TABLE withdrawal_approval_lists (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id int NOT NULL REFERENCES operators,
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  items bytea[] NOT NULL CHECK (cardinality(items) > 0),
  at timestamptz NOT NULL
);

-- The list that an approval was given with; null: it was given for its payout alone.
ALTER TABLE withdrawal_approvals ADD COLUMN list_id bigint REFERENCES withdrawal_approval_lists;
CREATE INDEX withdrawal_approvals_of_list ON withdrawal_approvals (list_id) WHERE list_id IS NOT NULL;
