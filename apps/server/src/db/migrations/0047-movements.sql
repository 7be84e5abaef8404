-- Money that moves between addresses of ours, and out of them (money.md 2.1, W-12, W-13; decision 0035).

-- Addresses of ours that no customer has. They never stop being ours: what leaves a retired one is a fact like any other.
CREATE TABLE own_addresses (
  -- Ids commit in order within a family, as those of `addresses` do: watchers load what is above the newest they know (W-10).
  id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  blockchain_id int NOT NULL REFERENCES blockchains,
  address text NOT NULL,
  family_id int NOT NULL,
  key bytea NOT NULL,
  role text NOT NULL CHECK (role IN ('hot', 'cold', 'vault', 'factory')),
  wallet_id int REFERENCES wallets,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (blockchain_id, address),
  CONSTRAINT own_addresses_of_wallets CHECK (wallet_id IS NOT NULL OR role IN ('vault', 'factory'))
);
CREATE UNIQUE INDEX own_addresses_once ON own_addresses (blockchain_id, key);
CREATE INDEX own_addresses_of_family ON own_addresses (family_id, id);

-- What a transaction of ours is for, written with its bytes and before they leave (W-13).
CREATE TABLE movement_intents (
  blockchain_id int NOT NULL REFERENCES blockchains,
  tx_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payout', 'topup', 'sweep')),
  send_id bigint,
  sweep_id bigint,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (blockchain_id, tx_id)
);

CREATE TABLE movements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  asset_id int NOT NULL REFERENCES assets,
  kind text NOT NULL
    CHECK (kind IN ('topup', 'sweep', 'foreign-sweep', 'payout', 'funded', 'spent-outside', 'drawn', 'deposit-drawn')),
  -- Null where nobody can be named: a balance that no transfer explains.
  from_address text,
  to_address text NOT NULL,
  -- What each side is to us; null is a stranger. A side of a deposit wallet names its address, any other its wallet.
  from_role text CHECK (from_role IN ('deposit', 'hot', 'cold', 'vault', 'factory')),
  to_role text CHECK (to_role IN ('deposit', 'hot', 'cold', 'vault', 'factory')),
  from_address_id bigint REFERENCES addresses,
  to_address_id bigint REFERENCES addresses,
  from_wallet_id int REFERENCES wallets,
  to_wallet_id int REFERENCES wallets,
  send_id bigint,
  sweep_id bigint,
  tx_id text NOT NULL,
  leg text NOT NULL,
  evidence text NOT NULL,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  height bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  confirmations_required int NOT NULL CHECK (confirmations_required >= 1),
  rule text NOT NULL CHECK (rule IN ('depth', 'finalized')),
  status text NOT NULL DEFAULT 'seen' CHECK (status IN ('seen', 'final', 'reverted')),
  revision int NOT NULL DEFAULT 1,
  seen_at timestamptz NOT NULL,
  final_at timestamptz,
  reverted_at timestamptz,
  -- A drawn deposit is booked by a person, who says what it was.
  booked_at timestamptz,
  booked_note text,
  -- A person has seen that a hot wallet was spent from elsewhere; until then nothing is sent from it.
  acknowledged_at timestamptz,
  CONSTRAINT movements_touch_us CHECK (from_role IS NOT NULL OR to_role IS NOT NULL),
  CONSTRAINT movements_sides CHECK (
    (from_role IS NOT DISTINCT FROM 'deposit') = (from_address_id IS NOT NULL)
    AND (to_role IS NOT DISTINCT FROM 'deposit') = (to_address_id IS NOT NULL)
    AND (from_wallet_id IS NOT NULL OR from_role IS NULL OR from_role NOT IN ('hot', 'cold'))
    AND (to_wallet_id IS NOT NULL OR to_role IS NULL OR to_role NOT IN ('hot', 'cold'))
  ),
  CONSTRAINT movements_booked_with_a_note CHECK ((booked_at IS NULL) = (booked_note IS NULL)),
  CONSTRAINT movements_booked_by_hand CHECK (booked_at IS NULL OR kind = 'deposit-drawn'),
  CONSTRAINT movements_acknowledged CHECK (acknowledged_at IS NULL OR kind = 'spent-outside')
);
CREATE UNIQUE INDEX movements_live_once ON movements (blockchain_id, tx_id, leg) WHERE status <> 'reverted';
CREATE UNIQUE INDEX movements_per_block ON movements (blockchain_id, block_hash, tx_id, leg);
CREATE INDEX movements_waiting ON movements (blockchain_id, height) WHERE status = 'seen';
CREATE INDEX movements_by_height ON movements (blockchain_id, height);
CREATE INDEX movements_from_deposit ON movements (from_address_id) WHERE from_address_id IS NOT NULL;
CREATE INDEX movements_to_deposit ON movements (to_address_id) WHERE to_address_id IS NOT NULL;
CREATE INDEX movements_from_wallet ON movements (from_wallet_id) WHERE from_wallet_id IS NOT NULL;
CREATE INDEX movements_to_wallet ON movements (to_wallet_id) WHERE to_wallet_id IS NOT NULL;
CREATE INDEX movements_of_send ON movements (send_id) WHERE send_id IS NOT NULL;
CREATE INDEX movements_unacknowledged ON movements (from_wallet_id)
  WHERE kind = 'spent-outside' AND status <> 'reverted' AND acknowledged_at IS NULL;

-- Hot and cold addresses are compared with the chain as well.
ALTER TABLE discrepancies ALTER COLUMN address_id DROP NOT NULL,
  ADD COLUMN own_address_id bigint REFERENCES own_addresses (id),
  ADD CONSTRAINT discrepancies_on_one_address CHECK (num_nonnulls(address_id, own_address_id) = 1);
CREATE UNIQUE INDEX discrepancies_own_open_once ON discrepancies (blockchain_id, asset_id, own_address_id) WHERE state = 'open';
