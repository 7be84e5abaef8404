-- Blockchains, what is accepted where, wallets and the addresses given to customers.

CREATE TABLE blockchains (
  id int PRIMARY KEY,
  code text NOT NULL UNIQUE,
  status text NOT NULL CHECK (status IN ('active', 'inactive')),
  reason text,
  min_confirmations int NOT NULL CHECK (min_confirmations >= 1),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE rpc_nodes (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  url text NOT NULL,
  node_type text NOT NULL DEFAULT 'free',
  is_preferred boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  priority int NOT NULL DEFAULT 0,
  chain_identifier text,
  client text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (blockchain_id, url)
);

-- The seeded assets of money.md 1.5; address, standard and decimals never change.
CREATE TABLE assets (
  id int PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  currency_id int NOT NULL,
  currency_code text NOT NULL,
  address text NOT NULL DEFAULT '',
  standard text NOT NULL,
  decimals int NOT NULL CHECK (decimals BETWEEN 0 AND 30),
  is_stable boolean NOT NULL,
  min_deposit_units numeric(78, 0) NOT NULL DEFAULT 0,
  visible boolean NOT NULL DEFAULT true,
  deposit_enabled boolean NOT NULL DEFAULT true,
  withdrawal_enabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (blockchain_id, currency_code)
);

CREATE TABLE project_assets (
  project_id int NOT NULL REFERENCES projects,
  asset_id int NOT NULL REFERENCES assets,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, asset_id)
);

CREATE TABLE wallets (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  wallet_type text NOT NULL CHECK (wallet_type IN ('deposit_wallet', 'hot_wallet', 'cold_wallet')),
  wallet_sub_type text NOT NULL CHECK (wallet_sub_type IN ('scw', 'eoa')),
  secret_type text NOT NULL CHECK (secret_type IN ('create2', 'xpub', 'private_key', 'none')),
  created_by int REFERENCES operators,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE wallet_xpubs (
  wallet_id int NOT NULL REFERENCES wallets,
  family_id int NOT NULL,
  xpub text NOT NULL UNIQUE,
  fingerprint text NOT NULL,
  path text NOT NULL,
  next_index int NOT NULL DEFAULT 0,
  PRIMARY KEY (wallet_id, family_id)
);

-- Exactly one deposit wallet per project and family.
CREATE TABLE project_wallets (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  family_id int NOT NULL,
  wallet_id int NOT NULL REFERENCES wallets,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (project_id, family_id)
);

-- `key` is what chain evidence is matched with: 20 bytes in the ETH and TRX families (money.md 1.1).
CREATE TABLE addresses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  wallet_id int NOT NULL REFERENCES wallets,
  family_id int NOT NULL,
  key bytea NOT NULL,
  address text NOT NULL,
  derivation_index int NOT NULL,
  path text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'assigned')),
  customer_id int REFERENCES customers,
  project_id int REFERENCES projects,
  assigned_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (family_id, key),
  UNIQUE (wallet_id, family_id, derivation_index),
  CHECK ((status = 'assigned') = (customer_id IS NOT NULL))
);
-- One permanent address per customer and family.
CREATE UNIQUE INDEX addresses_of_customer ON addresses (customer_id, family_id) WHERE customer_id IS NOT NULL;
CREATE INDEX addresses_open ON addresses (wallet_id, family_id, derivation_index) WHERE status = 'open';
