-- What watching needs beyond its cursor: second opinions, rescans, money to addresses nobody had yet (money.md 2.7–2.11).

ALTER TABLE deposits
  -- Worth so much that a second source must agree before it is final (money.md 2.8).
  ADD COLUMN quorum_required boolean NOT NULL DEFAULT false,
  -- Sources that stand for it: 0 not asked yet, 1 there is only one source, 2 a second one agreed.
  ADD COLUMN quorum smallint NOT NULL DEFAULT 0 CHECK (quorum BETWEEN 0 AND 2),
  -- Why it may not be what it looks like: then its final money is quarantined, whatever the quorum says.
  ADD COLUMN doubt text CHECK (doubt IN ('NODE_DISAGREEMENT', 'AMOUNT_MISMATCH', 'ASSET_CHANGED')),
  -- Why it is not final although it is deep enough; a sentence for people.
  ADD COLUMN waits_because text;
CREATE INDEX deposits_without_opinion ON deposits (blockchain_id, height)
  WHERE status = 'seen' AND quorum_required AND quorum = 0 AND doubt IS NULL;

-- The newest answer of each further node that was asked about a deposit.
CREATE TABLE node_opinions (
  deposit_id bigint NOT NULL REFERENCES deposits,
  node_id int NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('agrees', 'differs', 'silent')),
  details text NOT NULL,
  asked_at timestamptz NOT NULL,
  PRIMARY KEY (deposit_id, node_id)
);

ALTER TABLE chain_cursors
  -- When the node's head was last higher than before, and when a leader last heard of it at all.
  ADD COLUMN head_at timestamptz,
  ADD COLUMN looked_at timestamptz,
  -- When finality last grew.
  ADD COLUMN finalized_at timestamptz,
  -- Since when it is behind; null while it is not.
  ADD COLUMN behind_since timestamptz,
  -- What people should know although reading goes on; a sentence.
  ADD COLUMN notice text,
  -- Where a person told a halted reader to go on from; the next leader goes back to it first.
  ADD COLUMN resume_to bigint;

ALTER TABLE quarantined_blocks
  -- SHA-256 of what the node answered, and the transactions of the block that no reader understood.
  ADD COLUMN payload_hash text,
  ADD COLUMN transactions text[] NOT NULL DEFAULT '{}',
  -- Some of what could not be read names an address of ours.
  ADD COLUMN concerns_us boolean NOT NULL DEFAULT false;

-- Blocks or transactions read again on somebody's word; kept as the record of who asked, why and what came of it.
CREATE TABLE rescans (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  -- Absent while the block of a single transaction is not known.
  from_height bigint,
  to_height bigint,
  -- The first height that was not read yet: a rescan that was interrupted goes on here.
  next_height bigint,
  tx_id text,
  reason text NOT NULL,
  requested_by text NOT NULL,
  -- Set for the nightly audit, of which there is one per blockchain and day (W-9).
  audit_day date,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'failed')),
  found int NOT NULL DEFAULT 0,
  error text,
  created_at timestamptz NOT NULL,
  -- Last sign of life of whoever works on it; another process goes on when it is old.
  moved_at timestamptz NOT NULL,
  finished_at timestamptz,
  CHECK (from_height <= to_height),
  CHECK (tx_id IS NOT NULL OR next_height IS NOT NULL)
);
CREATE INDEX rescans_open ON rescans (id) WHERE state = 'open';
CREATE UNIQUE INDEX rescans_audit_once ON rescans (blockchain_id, audit_day) WHERE audit_day IS NOT NULL;

-- Transfers to an address of ours that no customer had yet: read again once somebody has it (W-10).
CREATE TABLE unclaimed_transfers (
  blockchain_id int NOT NULL REFERENCES blockchains,
  tx_id text NOT NULL,
  leg text NOT NULL,
  address_id bigint NOT NULL REFERENCES addresses,
  asset_id int NOT NULL REFERENCES assets,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  height bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  -- Not looked at again before this time.
  due_at timestamptz NOT NULL,
  PRIMARY KEY (blockchain_id, tx_id, leg)
);
CREATE INDEX unclaimed_transfers_of_address ON unclaimed_transfers (address_id);
