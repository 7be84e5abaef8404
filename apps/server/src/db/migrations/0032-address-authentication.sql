-- Keys of deposit wallets are authenticated: whoever writes this database alone redirects no deposit (money.md 5.4).

-- HMAC-SHA256 of the row under a key that never enters the database. Null where a former version wrote the row: the next
-- start fills those in once, and says so in address_authentication.
ALTER TABLE wallet_xpubs ADD COLUMN mac bytea CHECK (octet_length(mac) = 32);

CREATE TABLE address_authentication (
  id int PRIMARY KEY CHECK (id = 1),
  completed_at timestamptz NOT NULL
);

-- The path and the query of an endpoint may hold a token of the receiver; labels are shown and copied.
UPDATE secrets SET label = 'webhook ' || substring(label FROM '://([^/?#]*)') WHERE kind = 'webhook' AND label LIKE '%://%';
