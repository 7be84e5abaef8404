-- The value that a rotation replaced last, by its hash: it works beside the new one until its time is up (api.md I6).
ALTER TABLE api_keys
  ADD COLUMN previous_hash bytea UNIQUE,
  ADD COLUMN previous_until timestamptz,
  ADD CONSTRAINT api_keys_previous CHECK ((previous_hash IS NULL) = (previous_until IS NULL));
