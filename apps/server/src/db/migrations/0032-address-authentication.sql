-- Keys of deposit wallets are authenticated: whoever writes this database alone redirects no deposit (money.md 5.4).

-- HMAC-SHA256 of the row under a key that never enters the database. Null where a former version wrote the row: the next
-- start fills those in once, and says so in address_authentication.
ALTER TABLE wallet_xpubs ADD COLUMN mac bytea CHECK (octet_length(mac) = 32);

-- A process of the former version that still runs must not add a key that no address could ever be derived from.
CREATE FUNCTION refuse_unauthenticated_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A key of a deposit wallet needs its MAC: stop the processes of the former version';
END $$;
CREATE TRIGGER wallet_xpubs_mac BEFORE INSERT ON wallet_xpubs
  FOR EACH ROW WHEN (NEW.mac IS NULL) EXECUTE FUNCTION refuse_unauthenticated_key();

CREATE TABLE address_authentication (
  id int PRIMARY KEY CHECK (id = 1),
  completed_at timestamptz NOT NULL
);

-- The path and the query of an endpoint may hold a token of the receiver; labels are shown and copied.
UPDATE secrets SET label = 'webhook ' || substring(label FROM '://([^/?#]*)') WHERE kind = 'webhook' AND label LIKE '%://%';
