-- Nodes: secrets in the vault, a daily budget, how they are; what operators change about blockchains and currencies.

ALTER TABLE rpc_nodes
  -- The whole URL, API key, user name and password, sealed; `url` is then the masked one.
  ADD COLUMN secret_id int REFERENCES secrets,
  ADD COLUMN max_daily_calls int CHECK (max_daily_calls >= 1),
  ADD COLUMN calls_day date,
  ADD COLUMN calls_today int NOT NULL DEFAULT 0 CHECK (calls_today >= 0),
  -- How it was when a watcher last looked; every process reads it.
  ADD COLUMN health jsonb,
  -- Why it is not used until a person looks.
  ADD COLUMN forked text,
  ADD CONSTRAINT rpc_nodes_priority CHECK (priority >= 0),
  DROP CONSTRAINT rpc_nodes_blockchain_id_url_key;
-- Two keys of one provider look the same once they are masked.
CREATE UNIQUE INDEX rpc_nodes_once ON rpc_nodes (blockchain_id, url) WHERE secret_id IS NULL;
CREATE UNIQUE INDEX rpc_nodes_preferred ON rpc_nodes (blockchain_id) WHERE is_preferred;

-- Null: as the definition has it.
ALTER TABLE blockchains
  ADD COLUMN name text,
  ADD COLUMN explorer_address text,
  ADD COLUMN explorer_transaction text;

-- Amounts in units: of the currency itself, those for fees in the blockchain's own coin. Null: no limit, or the default.
ALTER TABLE assets
  ADD COLUMN disabled_because text,
  ADD COLUMN deposit_fee_units numeric(78, 0),
  ADD COLUMN min_collection_units numeric(78, 0),
  ADD COLUMN withdraw_fee_units numeric(78, 0),
  ADD COLUMN min_withdraw_units numeric(78, 0),
  ADD COLUMN withdraw_limit_24h_units numeric(78, 0),
  ADD COLUMN withdraw_limit_72h_units numeric(78, 0),
  ADD COLUMN approval_fee_native_units numeric(78, 0),
  ADD COLUMN min_fees_balance_native_units numeric(78, 0),
  ADD COLUMN min_sweep_balance_units numeric(78, 0),
  ADD COLUMN min_sweep_amount_units numeric(78, 0),
  ADD COLUMN sweep_lock_minutes int CHECK (sweep_lock_minutes >= 1),
  ADD COLUMN sweep_batch_size int CHECK (sweep_batch_size >= 1),
  ADD COLUMN sweep_approval_batch_size int CHECK (sweep_approval_batch_size >= 1),
  ADD COLUMN sweep_max_wait_minutes int CHECK (sweep_max_wait_minutes >= 1);
