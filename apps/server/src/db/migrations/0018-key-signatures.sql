-- What `X-Payram-Signature` is made with (api.md 6.3): sealed one-way states of a key's HMAC, never the key. Null for keys made
-- before, and for those that were revoked.
ALTER TABLE api_keys ADD COLUMN hmac_ref int REFERENCES secrets;
