-- Lists of deposit addresses, of families that derive none from a public key (Solana): an operator uploads them with a proof
-- that somebody holds each key (money.md 5.1; decision 0047).
CREATE TABLE wallet_lists (
  wallet_id int NOT NULL REFERENCES wallets,
  family_id int NOT NULL,
  -- One above the highest index that was uploaded.
  next_index int NOT NULL DEFAULT 0,
  mac bytea NOT NULL CHECK (octet_length(mac) = 32),
  PRIMARY KEY (wallet_id, family_id)
);

-- HMAC-SHA256 of a listed address under a key that never enters the database; null where the address is derived again instead.
ALTER TABLE addresses ADD COLUMN mac bytea CHECK (octet_length(mac) = 32);
