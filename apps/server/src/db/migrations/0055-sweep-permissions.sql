-- Permissions of deposit addresses (money.md 6.6, 6.7; decision 0041): what their keys are asked to sign, and what they signed.

-- Addresses that are asked at once, for one asset and one sweep contract; locked until it expires.
CREATE TABLE sweep_batches (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  asset_id int NOT NULL REFERENCES assets,
  -- What may take the money, and the one address that it goes to.
  vault text NOT NULL,
  collector text NOT NULL,
  -- The hot wallet that pays for top-ups.
  gas_wallet_id int REFERENCES wallets,
  created_by int REFERENCES operators,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);

-- What one address of a batch is to sign. `send_items.permission_id` of a top-up is the id of such a row.
CREATE TABLE sweep_approvals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  batch_id bigint NOT NULL REFERENCES sweep_batches,
  address_id bigint NOT NULL REFERENCES addresses,
  asset_id int NOT NULL REFERENCES assets,
  kind text NOT NULL CHECK (kind IN ('approve_tx', 'permit', 'authorization', 'transfer_tx')),
  -- As it is handed to the signer, word for word; what comes back is compared with it.
  permission jsonb NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'signed', 'lapsed')),
  locked_until timestamptz NOT NULL,
  -- Native coin that the address lacks to pay for what it signs, and the send that brings it.
  top_up_units numeric(78, 0) NOT NULL DEFAULT 0 CHECK (top_up_units >= 0),
  top_up_ceiling numeric(78, 0) NOT NULL DEFAULT 0 CHECK (top_up_ceiling >= 0),
  top_up_send_id bigint UNIQUE REFERENCES sends,
  -- The address holds it, by a final block; and how often that was posted: the `:<n>` of its entries.
  topped_up_at timestamptz,
  top_up_entries int NOT NULL DEFAULT 0,
  UNIQUE (batch_id, address_id),
  CONSTRAINT sweep_approvals_top_up CHECK (top_up_send_id IS NULL OR top_up_units > 0),
  CONSTRAINT sweep_approvals_topped_up CHECK (topped_up_at IS NULL OR top_up_send_id IS NOT NULL)
);
-- An address is asked once at a time for an asset.
CREATE UNIQUE INDEX sweep_approvals_open ON sweep_approvals (address_id, asset_id) WHERE state = 'open';
CREATE INDEX sweep_approvals_to_top_up ON sweep_approvals (id)
  WHERE top_up_units > 0 AND top_up_send_id IS NULL AND state IN ('open', 'signed');

CREATE TABLE sweep_permissions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address_id bigint NOT NULL REFERENCES addresses,
  blockchain_id int NOT NULL REFERENCES blockchains,
  -- Null: whatever the address holds, as a delegation allows.
  asset_id int REFERENCES assets,
  -- The row that asked for it; null for what was signed ahead.
  approval_id bigint UNIQUE REFERENCES sweep_approvals,
  kind text NOT NULL CHECK (kind IN ('approve_tx', 'permit', 'authorization', 'transfer_tx')),
  state text NOT NULL CHECK (state IN ('signed', 'broadcast', 'approved', 'used', 'stale')),
  vault text NOT NULL,
  collector text NOT NULL,
  permission jsonb NOT NULL,
  -- Null where the chain held the permission before anybody was asked.
  signature jsonb,
  -- SHA-256 of both: one signature is stored once.
  digest bytea UNIQUE,
  -- Of one that is a transaction: its bytes, stored before they leave.
  tx_id text UNIQUE,
  raw bytea,
  body jsonb,
  sequence numeric(78, 0),
  max_fee numeric(78, 0),
  planned_height bigint,
  -- The block that made it final, what it cost there, and how often that was posted: the `:<n>` of its entries.
  height bigint,
  fee_units numeric(78, 0),
  entries int NOT NULL DEFAULT 0,
  -- When the chain was last asked what it is worth.
  checked_at timestamptz,
  created_at timestamptz NOT NULL,
  approved_at timestamptz,
  CONSTRAINT sweep_permissions_transaction CHECK (
    num_nonnulls(tx_id, raw, body, sequence, max_fee, planned_height)
      = CASE WHEN kind IN ('approve_tx', 'transfer_tx') AND signature IS NOT NULL THEN 6 ELSE 0 END),
  CONSTRAINT sweep_permissions_signed CHECK ((signature IS NULL) = (digest IS NULL) AND (signature IS NOT NULL OR state IN ('used', 'stale'))),
  CONSTRAINT sweep_permissions_mined CHECK ((height IS NULL) = (fee_units IS NULL)),
  CONSTRAINT sweep_permissions_of_all CHECK ((asset_id IS NULL) = (kind = 'authorization'))
);
CREATE INDEX sweep_permissions_of_address ON sweep_permissions (address_id, blockchain_id, asset_id);
-- An address has one live permission of a kind.
CREATE UNIQUE INDEX sweep_permissions_live ON sweep_permissions (address_id, blockchain_id, coalesce(asset_id, 0), kind)
  WHERE state <> 'stale' AND kind <> 'transfer_tx';
CREATE INDEX sweep_permissions_waiting ON sweep_permissions (blockchain_id, id) WHERE state IN ('signed', 'broadcast');
CREATE INDEX sweep_permissions_to_check ON sweep_permissions (blockchain_id, checked_at) WHERE state = 'approved';
CREATE INDEX sweep_permissions_by_height ON sweep_permissions (blockchain_id, height) WHERE height IS NOT NULL;
