-- Contract wallets: deposit addresses that a contract of the merchant commands (money.md 5.1, 6; decision 0038).

-- What the addresses of a contract wallet are derived from: the same on every blockchain of its family. `creator` and `salt`
-- are what the contract's address is made of, for whoever has to find it again without this database.
CREATE TABLE wallet_vaults (
  wallet_id int NOT NULL REFERENCES wallets,
  family_id int NOT NULL,
  vault text NOT NULL,
  creator text NOT NULL,
  salt text NOT NULL,
  -- Salts count from 1: salt 0 is the contract that accounts delegate to.
  next_index int NOT NULL DEFAULT 1 CHECK (next_index >= 1),
  mac bytea NOT NULL CHECK (octet_length(mac) = 32),
  PRIMARY KEY (wallet_id, family_id),
  UNIQUE (family_id, vault)
);

-- Sweep contracts by blockchain, with what their chain said last. `sweep_approval`: deposit addresses of extended public keys
-- approve or delegate to it; `fund_sweeper`: it commands the deposit addresses of a contract wallet.
CREATE TABLE contract_addresses (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  family_id int NOT NULL,
  contract_type text NOT NULL CHECK (contract_type IN ('fund_sweeper', 'sweep_approval')),
  name text NOT NULL,
  address text NOT NULL,
  tx_id text NOT NULL,
  wallet_id int REFERENCES wallets,
  code_hash text NOT NULL,
  -- What operators confirmed. The MAC covers it together with address, transaction and wallet.
  collector text NOT NULL,
  mac bytea NOT NULL CHECK (octet_length(mac) = 32),
  -- What the chain said at `read_at`; keys are what addresses are compared by.
  owner text NOT NULL,
  owner_key bytea NOT NULL,
  collector_on_chain text NOT NULL,
  pending_collector text,
  collector_ready_at timestamptz,
  pending_owner text,
  owner_ready_at timestamptz,
  is_frozen boolean NOT NULL,
  read_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT contract_addresses_of_wallets CHECK ((contract_type = 'fund_sweeper') = (wallet_id IS NOT NULL)),
  CONSTRAINT contract_addresses_pending_collector CHECK ((pending_collector IS NULL) = (collector_ready_at IS NULL)),
  CONSTRAINT contract_addresses_pending_owner CHECK ((pending_owner IS NULL) = (owner_ready_at IS NULL)),
  UNIQUE (blockchain_id, contract_type, tx_id),
  UNIQUE (blockchain_id, contract_type, address),
  UNIQUE (wallet_id, blockchain_id)
);
CREATE INDEX contract_addresses_of_owner ON contract_addresses (family_id, owner_key);

-- Facts of contracts that did not come with the release; ids of those that did are below this range.
CREATE TABLE custom_contracts (
  id int GENERATED ALWAYS AS IDENTITY (START WITH 100000) PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  contract_type text NOT NULL CHECK (contract_type IN ('factory_contract', 'fund_sweeper', 'sweep_approval', 'deposit_wallet')),
  abi text NOT NULL,
  bytecode text NOT NULL,
  address text,
  description text NOT NULL,
  code_hash text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX custom_contracts_once
  ON custom_contracts (blockchain_id, contract_type, md5(bytecode), coalesce(address, ''));
