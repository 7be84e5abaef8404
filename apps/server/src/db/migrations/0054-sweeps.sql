-- Consolidation (money.md 6; decision 0042): what deposit addresses hold moves to the cold wallet of the merchant.

-- One transaction that moves deposits of one wallet and one asset.
CREATE TABLE sweeps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Whose deposit addresses.
  wallet_id int NOT NULL REFERENCES wallets,
  blockchain_id int NOT NULL REFERENCES blockchains,
  asset_id int NOT NULL REFERENCES assets,
  -- `sweep`: by the contract of the wallet alone. The others with a permission that the key of each address signed: the contract
  -- pulls what it was allowed to, or commands accounts that delegate to it.
  method text NOT NULL CHECK (method IN ('sweep', 'pull', 'delegated')),
  -- What is called, and the one address to which it sends everything.
  vault text NOT NULL,
  collector text NOT NULL,
  status text NOT NULL CHECK (status IN ('planned', 'sweep-initiated', 'broadcast', 'completed', 'sweep-cancelled', 'failed')),
  trigger text NOT NULL CHECK (trigger IN ('manual', 'amount', 'count', 'time', 'foreign')),
  sent_by text NOT NULL CHECK (sent_by IN ('hot-wallet', 'own-wallet', 'stranger')),
  started_by int REFERENCES operators,
  units numeric(78, 0) NOT NULL CHECK (units >= 0),
  -- At the price when it was planned.
  amount_usd numeric(38, 18),
  -- The call as it is signed or was handed out; null before, and of a stranger's.
  call_data text,
  -- The hot wallet that pays, and the most that it may cost, in the native coin.
  hot_wallet_id int REFERENCES wallets,
  max_fee numeric(78, 0) CHECK (max_fee > 0),
  send_id bigint REFERENCES sends,
  -- The transaction that a node accepted, that was recorded, or that a block holds.
  tx_id text,
  -- The block that decided, once it is final; taken back with it.
  final_height bigint,
  fee_units numeric(78, 0),
  -- Why it has not moved on, and since when it may be tried again.
  wait_code text,
  wait_params jsonb,
  due_at timestamptz NOT NULL,
  -- Until when it must have a transaction; then it is given up and its addresses are free.
  expires_at timestamptz,
  -- The sequence of its last event (api.md 6.4).
  sequence int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  initiated_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT sweeps_foreign CHECK ((trigger = 'foreign') = (sent_by = 'stranger')),
  CONSTRAINT sweeps_signed_by_a_hot_wallet CHECK (send_id IS NULL OR sent_by = 'hot-wallet'),
  CONSTRAINT sweeps_signed CHECK (sent_by <> 'hot-wallet' OR status IN ('planned', 'sweep-cancelled') OR send_id IS NOT NULL)
);
CREATE UNIQUE INDEX sweeps_send ON sweeps (send_id) WHERE send_id IS NOT NULL;
-- A transaction that was signed by a wallet of an operator, or by a stranger, is one sweep of each wallet and asset.
CREATE UNIQUE INDEX sweeps_transaction ON sweeps (blockchain_id, tx_id, asset_id, wallet_id)
  WHERE tx_id IS NOT NULL AND sent_by <> 'hot-wallet';
CREATE INDEX sweeps_open ON sweeps (blockchain_id, id) WHERE status IN ('planned', 'sweep-initiated', 'broadcast');
CREATE INDEX sweeps_final_height ON sweeps (blockchain_id, final_height) WHERE final_height IS NOT NULL;
CREATE INDEX sweeps_of_wallet ON sweeps (wallet_id, asset_id, id DESC);
CREATE INDEX sweeps_created ON sweeps (created_at DESC, id DESC);

-- What one address gives to a sweep.
CREATE TABLE sweep_items (
  sweep_id bigint NOT NULL REFERENCES sweeps,
  address_id bigint NOT NULL REFERENCES addresses,
  asset_id int NOT NULL REFERENCES assets,
  project_id int REFERENCES projects,
  -- How the contract names it: the salt of its deposit contract, or the number that the account's address is.
  item_id numeric(78, 0) NOT NULL CHECK (item_id >= 0),
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'swept', 'failed', 'released')),
  reason_code text,
  reason_params jsonb,
  -- How often it was posted: the `:<n>` of its entries.
  entries int NOT NULL DEFAULT 0,
  -- The transfer that proves it.
  movement_id bigint REFERENCES movements,
  PRIMARY KEY (sweep_id, address_id),
  CONSTRAINT sweep_items_swept_with_proof CHECK ((state = 'swept') = (movement_id IS NOT NULL))
);
CREATE INDEX sweep_items_of_address ON sweep_items (address_id, asset_id, sweep_id);
CREATE INDEX sweep_items_open ON sweep_items (address_id, asset_id) WHERE state = 'open';
CREATE UNIQUE INDEX sweep_items_movement ON sweep_items (movement_id) WHERE movement_id IS NOT NULL;

-- An address and an asset between two sweeps (money.md 6.6). No row: nothing has happened yet. Whether the key of an address has
-- allowed anything stands in the tables of permissions.
CREATE TABLE address_sweeps (
  address_id bigint NOT NULL REFERENCES addresses,
  asset_id int NOT NULL REFERENCES assets,
  state text NOT NULL CHECK (state IN ('idle', 'sweep-initiated', 'swept')),
  sweep_id bigint REFERENCES sweeps,
  locked_until timestamptz,
  -- When money last arrived from here.
  swept_at timestamptz,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (address_id, asset_id),
  CONSTRAINT address_sweeps_of_a_sweep CHECK ((state = 'sweep-initiated') = (sweep_id IS NOT NULL))
);
CREATE INDEX address_sweeps_of_sweep ON address_sweeps (sweep_id) WHERE sweep_id IS NOT NULL;

-- What the wallet of an operator sent for a sweep, as it was recorded or found; an older one was replaced.
CREATE TABLE sweep_transactions (
  sweep_id bigint NOT NULL REFERENCES sweeps,
  blockchain_id int NOT NULL REFERENCES blockchains,
  tx_id text NOT NULL,
  from_address text,
  sequence numeric(78, 0),
  state text NOT NULL CHECK (state IN ('sent', 'replaced', 'mined', 'failed')),
  block_number bigint,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (blockchain_id, tx_id)
);
CREATE INDEX sweep_transactions_of_sweep ON sweep_transactions (sweep_id);

-- What went wrong, per sweep or, where none was started, per wallet and asset; the same is noted once in a row.
CREATE TABLE sweep_errors (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sweep_id bigint REFERENCES sweeps,
  wallet_id int NOT NULL REFERENCES wallets,
  asset_id int NOT NULL REFERENCES assets,
  code text NOT NULL,
  params jsonb NOT NULL,
  address text,
  tx_id text,
  at timestamptz NOT NULL
);
CREATE INDEX sweep_errors_of_sweep ON sweep_errors (sweep_id, id) WHERE sweep_id IS NOT NULL;
CREATE INDEX sweep_errors_of_wallet ON sweep_errors (wallet_id, asset_id, id DESC);

-- What a plan said: a start carries out exactly this, once (api.md S5, S6).
CREATE TABLE sweep_plans (
  id uuid PRIMARY KEY,
  asset_id int NOT NULL REFERENCES assets,
  -- [{walletId, method, vault, collector, usd, items: [{addressId, itemId, units}]}]
  batches jsonb NOT NULL,
  created_by int REFERENCES operators,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX sweep_plans_old ON sweep_plans (expires_at);
