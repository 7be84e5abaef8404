-- Sends (money.md 7.3): every transaction that a hot wallet signs, from its stored bytes to what the chain made of it.

-- Whether a wallet may sign on a blockchain, and from which sequence on.
CREATE TABLE send_wallets (
  wallet_id int NOT NULL REFERENCES wallets,
  blockchain_id int NOT NULL REFERENCES blockchains,
  -- The first sequence that is ours: a person moves it once somebody else has used the key.
  first_sequence numeric(78, 0) NOT NULL DEFAULT 0,
  -- Why nothing is signed until a person has looked (D-9); null while it may sign.
  lock_code text CHECK (lock_code IN ('used_elsewhere', 'behind', 'below_final')),
  lock_params jsonb,
  locked_at timestamptz,
  checked_at timestamptz,
  PRIMARY KEY (wallet_id, blockchain_id),
  CONSTRAINT send_wallets_lock_is_whole CHECK ((lock_code IS NULL) = (lock_params IS NULL) AND (lock_code IS NULL) = (locked_at IS NULL))
);

CREATE TABLE sends (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  wallet_id int NOT NULL REFERENCES wallets,
  blockchain_id int NOT NULL REFERENCES blockchains,
  purpose text NOT NULL CHECK (purpose IN ('payout', 'sweep', 'topup', 'deploy')),
  -- Whose network fee it is; null for the install.
  project_id int REFERENCES projects,
  from_address text NOT NULL,
  -- The transaction's place among those of its sender (EVM: nonce); null in families that have none.
  sequence numeric(78, 0),
  -- What leaves the wallet beside the fee; null where only the fee does.
  asset_id int REFERENCES assets,
  units numeric(78, 0) NOT NULL CHECK (units >= 0),
  to_address text,
  -- The native asset, and the most that the fee may be.
  fee_asset_id int NOT NULL REFERENCES assets,
  fee_ceiling numeric(78, 0) NOT NULL CHECK (fee_ceiling > 0),
  -- How often the ceiling was raised: the `:<n>` of its entries.
  ceilings int NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'initiated' CHECK (state IN ('initiated', 'sent', 'processed', 'failed')),
  -- How often it was decided: the `:<n>` of its entries.
  decisions int NOT NULL DEFAULT 0,
  decided_attempt int,
  -- The block that decided.
  decided_height bigint,
  fee_units numeric(78, 0),
  failure_code text,
  failure_params jsonb,
  -- The newest block when it was planned: no attempt is older.
  planned_height bigint NOT NULL,
  -- No block has taken it although the fee reached its ceiling.
  stuck_at timestamptz,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  decided_at timestamptz,
  -- The fence of one signer per wallet (D-6): a sequence is taken once.
  UNIQUE (wallet_id, blockchain_id, sequence),
  CONSTRAINT sends_amount_is_whole CHECK ((asset_id IS NULL) = (units = 0)),
  CONSTRAINT sends_decided CHECK ((state IN ('processed', 'failed')) = (decided_at IS NOT NULL AND decided_height IS NOT NULL AND fee_units IS NOT NULL)),
  CONSTRAINT sends_failed_with_reason CHECK ((state = 'failed') = (failure_code IS NOT NULL)),
  CONSTRAINT sends_processed_by_an_attempt CHECK (state <> 'processed' OR decided_attempt IS NOT NULL)
);
CREATE INDEX sends_decided ON sends (blockchain_id, decided_height) WHERE decided_height IS NOT NULL;
CREATE INDEX sends_undecided ON sends (blockchain_id, wallet_id, sequence) WHERE state IN ('initiated', 'sent');

-- A business row is in one send, for ever (D-1).
CREATE TABLE send_items (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  send_id bigint NOT NULL REFERENCES sends,
  withdrawal_id bigint UNIQUE,
  sweep_id bigint UNIQUE,
  permission_id bigint UNIQUE,
  CONSTRAINT send_items_about_one CHECK (num_nonnulls(withdrawal_id, sweep_id, permission_id) = 1)
);
CREATE INDEX send_items_of_send ON send_items (send_id);

-- The bytes of a send, stored before they leave (D-3); all attempts of one send exclude each other (D-2).
CREATE TABLE send_attempts (
  send_id bigint NOT NULL REFERENCES sends,
  n int NOT NULL CHECK (n >= 1),
  tx_id text NOT NULL UNIQUE,
  raw bytea NOT NULL,
  -- What the adapter planned, from which it plans the next attempt.
  body jsonb NOT NULL,
  max_fee numeric(78, 0) NOT NULL CHECK (max_fee >= 0),
  valid_until timestamptz,
  created_at timestamptz NOT NULL,
  first_sent_at timestamptz,
  last_seen_at timestamptz,
  -- What a node answered when it did not take it; null once one did.
  refusal text,
  -- The block of our branch that holds it, what it cost there, and whether it did what it was for; taken back with the block.
  height bigint,
  block_hash text,
  is_success boolean,
  failure_code text,
  fee_units numeric(78, 0),
  PRIMARY KEY (send_id, n),
  CONSTRAINT send_attempts_mined CHECK (num_nonnulls(height, block_hash, is_success, fee_units) IN (0, 4)),
  CONSTRAINT send_attempts_failed CHECK ((is_success IS FALSE) = (failure_code IS NOT NULL))
);
-- At most one attempt of a send is in a block.
CREATE UNIQUE INDEX send_attempts_mined_once ON send_attempts (send_id) WHERE height IS NOT NULL;
CREATE INDEX send_attempts_by_height ON send_attempts (height) WHERE height IS NOT NULL;
