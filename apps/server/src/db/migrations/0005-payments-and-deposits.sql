-- Requests for money and the money that arrives (money.md 2.1, 3.1).

CREATE TABLE payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reference_id uuid NOT NULL UNIQUE,
  project_id int NOT NULL REFERENCES projects,
  customer_id int NOT NULL REFERENCES customers,
  invoice_id text NOT NULL DEFAULT '',
  amount_usd numeric(18, 6) NOT NULL CHECK (amount_usd > 0),
  status text NOT NULL DEFAULT 'OPEN'
    CHECK (status IN ('OPEN', 'PARTIALLY_FILLED', 'FILLED', 'OVER_FILLED', 'CANCELLED')),
  funding_state text NOT NULL DEFAULT 'none'
    CHECK (funding_state IN ('none', 'detected', 'confirming', 'confirmed', 'reverted')),
  cancel_reason text CHECK (cancel_reason IN ('expired', 'superseded', 'merchant')),
  cancel_note text,
  late boolean NOT NULL DEFAULT false,
  superseded_by bigint REFERENCES payments,
  created_by text NOT NULL CHECK (created_by IN ('user', 'system')),
  created_by_operator int REFERENCES operators,
  created_by_key int REFERENCES api_keys,
  asset_id int REFERENCES assets,
  quote_id bigint,
  due_units numeric(78, 0),
  seen_units numeric(78, 0) NOT NULL DEFAULT 0,
  filled_units numeric(78, 0) NOT NULL DEFAULT 0,
  over_units numeric(78, 0) NOT NULL DEFAULT 0,
  -- Unbounded: however much somebody sends, it must fit.
  filled_usd numeric NOT NULL DEFAULT 0,
  description text NOT NULL DEFAULT '',
  metadata jsonb NOT NULL DEFAULT '{}',
  success_url text,
  cancel_url text,
  -- Numbers the events of this payment: 1, 2, 3 … (api.md 6.2 `sequence`).
  event_count int NOT NULL DEFAULT 0,
  rate_locked_until timestamptz,
  first_seen_at timestamptz,
  filled_at timestamptz,
  -- When the payer's time ends, or ended: superseded and cancelled requests end early.
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((asset_id IS NULL) = (due_units IS NULL)),
  CHECK (status <> 'CANCELLED' OR cancel_reason IS NOT NULL)
);
CREATE INDEX payments_of_project ON payments (project_id, created_at DESC, id DESC);
CREATE INDEX payments_of_customer ON payments (customer_id, id DESC);
-- What the clock moves: open requests without money, and partly paid ones that were not told yet (money.md 3.5, rows 7, 11).
CREATE INDEX payments_to_expire ON payments (expires_at)
  WHERE (status = 'OPEN' AND seen_units = 0) OR (status = 'PARTIALLY_FILLED' AND cancel_reason IS NULL);
CREATE INDEX payments_invoice ON payments (project_id, invoice_id) WHERE invoice_id <> '';

CREATE TABLE quotes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id bigint NOT NULL REFERENCES payments,
  asset_id int NOT NULL REFERENCES assets,
  address_id bigint NOT NULL REFERENCES addresses,
  price_usd numeric(38, 18) NOT NULL CHECK (price_usd > 0),
  due_units numeric(78, 0) NOT NULL CHECK (due_units > 0),
  quoted_at timestamptz NOT NULL,
  locked_until timestamptz NOT NULL,
  evidence jsonb NOT NULL,
  superseded_at timestamptz
);
CREATE INDEX quotes_of_payment ON quotes (payment_id);
ALTER TABLE payments ADD FOREIGN KEY (quote_id) REFERENCES quotes;

-- What the sandbox's price source says instead of its own table: any text, so that a broken source can be tried out.
CREATE TABLE sandbox_prices (
  currency_code text PRIMARY KEY,
  price text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE deposits (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  asset_id int NOT NULL REFERENCES assets,
  address_id bigint NOT NULL REFERENCES addresses,
  -- Ids of transactions and blocks stand as their chain prints them, hexadecimal ones in lower case.
  tx_id text NOT NULL,
  leg text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('token', 'native', 'internal')),
  evidence text NOT NULL,
  from_address text,
  to_address text NOT NULL,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  usd_at_seen numeric(18, 2),
  height bigint NOT NULL,
  block_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  confirmations_required int NOT NULL CHECK (confirmations_required >= 1),
  rule text NOT NULL CHECK (rule IN ('depth', 'finalized')),
  status text NOT NULL DEFAULT 'seen'
    CHECK (status IN ('seen', 'confirmed', 'applied', 'unapplied', 'quarantined', 'reverted', 'ignored')),
  reason text,
  -- How often the deposit was posted: the `:<n>` of the ledger's source keys (money.md 2.3, L-2).
  round int NOT NULL DEFAULT 1,
  late boolean NOT NULL DEFAULT false,
  payment_id bigint REFERENCES payments,
  customer_id int NOT NULL REFERENCES customers,
  project_id int NOT NULL REFERENCES projects,
  seen_at timestamptz NOT NULL,
  final_at timestamptz,
  reverted_at timestamptz
);
CREATE UNIQUE INDEX deposits_live_once ON deposits (blockchain_id, tx_id, leg) WHERE status <> 'reverted';
CREATE UNIQUE INDEX deposits_per_block ON deposits (blockchain_id, block_hash, tx_id, leg);
CREATE INDEX deposits_waiting ON deposits (blockchain_id, height) WHERE status = 'seen';
CREATE INDEX deposits_by_height ON deposits (blockchain_id, height);
CREATE INDEX deposits_of_payment ON deposits (payment_id);
CREATE INDEX deposits_of_customer ON deposits (customer_id);

CREATE TABLE chain_cursors (
  blockchain_id int PRIMARY KEY REFERENCES blockchains,
  height bigint NOT NULL,
  hash text NOT NULL,
  parent_hash text NOT NULL,
  block_time timestamptz NOT NULL,
  head_height bigint NOT NULL,
  finalized_height bigint NOT NULL,
  finalized_hash text,
  epoch bigint NOT NULL DEFAULT 0,
  holder text,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'behind', 'halted')),
  reason text,
  address_high bigint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE chain_blocks (
  blockchain_id int NOT NULL REFERENCES blockchains,
  height bigint NOT NULL,
  hash text NOT NULL,
  parent_hash text NOT NULL,
  mined_at timestamptz NOT NULL,
  node_id int,
  transfers int NOT NULL DEFAULT 0,
  PRIMARY KEY (blockchain_id, height)
);

CREATE TABLE quarantined_blocks (
  blockchain_id int NOT NULL REFERENCES blockchains,
  height bigint NOT NULL,
  hash text NOT NULL,
  node_id int,
  error text NOT NULL,
  tries int NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'solved')),
  first_at timestamptz NOT NULL DEFAULT now(),
  solved_at timestamptz,
  PRIMARY KEY (blockchain_id, height, hash)
);
