-- Hot wallets, whose key the server holds; cold wallets, which the merchant alone can spend from; and which wallet serves by default (money.md 5.1).

-- One key of a family: it signs on every blockchain of the family. The key itself lies sealed in a vault.
CREATE TABLE hot_keys (
  wallet_id int PRIMARY KEY REFERENCES wallets,
  family_id int NOT NULL,
  key bytea NOT NULL,
  address text NOT NULL,
  secret_id int NOT NULL UNIQUE REFERENCES secrets,
  -- What may lie there before the excess is shown; it stops nothing.
  float_limit_usd numeric(18, 6) NOT NULL CHECK (float_limit_usd > 0),
  UNIQUE (family_id, key)
);

CREATE TABLE wallet_functions (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  wallet_id int NOT NULL REFERENCES hot_keys ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('gas', 'payout')),
  UNIQUE (wallet_id, purpose)
);

-- An address of one blockchain: a contract of the same address may be somebody else's on another one.
CREATE TABLE cold_addresses (
  wallet_id int PRIMARY KEY REFERENCES wallets,
  family_id int NOT NULL,
  blockchain_id int NOT NULL REFERENCES blockchains,
  key bytea NOT NULL,
  address text NOT NULL,
  project_id int REFERENCES projects,
  -- Until then everybody who could object is told, and nothing is sent there.
  usable_at timestamptz NOT NULL,
  UNIQUE (blockchain_id, key)
);

-- One wallet of each family serves for each role.
CREATE TABLE wallet_defaults (
  family_id int NOT NULL,
  role text NOT NULL CHECK (role IN ('deposit', 'cold', 'gas', 'payout')),
  wallet_id int NOT NULL REFERENCES wallets,
  PRIMARY KEY (family_id, role)
);
CREATE INDEX wallet_defaults_of_wallet ON wallet_defaults (wallet_id);

INSERT INTO wallet_defaults (family_id, role, wallet_id)
SELECT DISTINCT ON (family_id) family_id, 'deposit', wallets.id
FROM wallets JOIN wallet_xpubs ON wallet_id = wallets.id
WHERE status = 'active' ORDER BY family_id, wallets.id;

-- A deleted wallet keeps its row: its addresses never stop being ours.
ALTER TABLE wallets ADD COLUMN deleted_at timestamptz;
