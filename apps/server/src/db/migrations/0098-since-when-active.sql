-- Reading of a new chain starts no later than where the chain was when it became active. Chains that are active already have
-- been read since, or start as before.
ALTER TABLE blockchains ADD COLUMN activated_at timestamptz;
