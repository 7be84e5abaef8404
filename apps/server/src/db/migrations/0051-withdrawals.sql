-- Payouts (money.md 7): what leaves a project, from its request to its end.
CREATE TABLE withdrawals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  type text NOT NULL CHECK (type IN ('payout', 'payout_merchant', 'withdrawal')),
  status text NOT NULL CHECK (status IN
    ('pending-approval', 'pending', 'initiated', 'sent', 'processed', 'failed', 'rejected', 'cancelled')),

  -- What is approved and signed (X-2): never changes, but for the version of the policy that decided last.
  blockchain_id int NOT NULL REFERENCES blockchains,
  asset_id int NOT NULL REFERENCES assets,
  -- Empty for the native coin.
  contract text NOT NULL,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  to_address text NOT NULL,
  policy_version int NOT NULL,
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),

  -- In US dollars at the price of the decision.
  price_usd numeric(38, 18) NOT NULL CHECK (price_usd > 0),
  amount_usd numeric(38, 18) NOT NULL CHECK (amount_usd >= 0),
  -- Which rule decided, how many people it asks for, and what the windows held then.
  decision jsonb NOT NULL,
  approvals_needed int NOT NULL CHECK (approvals_needed BETWEEN 0 AND 5),
  four_eyes boolean NOT NULL,
  -- Counts in the windows of hour and day from here on.
  decided_at timestamptz NOT NULL,

  recipient_id int,
  recipient_name text,
  recipient_email text,
  mobile_number text,
  residential_address text,
  customer_id int REFERENCES customers,
  client_reference text,
  note text NOT NULL DEFAULT '',

  refund_payment_id bigint REFERENCES payments,
  refund_kind text CHECK (refund_kind IN ('full', 'overpaid', 'unapplied', 'custom')),
  CHECK ((refund_payment_id IS NULL) = (refund_kind IS NULL)),

  created_by text NOT NULL CHECK (created_by IN ('system', 'user', 'merchant_api')),
  created_by_operator int REFERENCES operators,
  created_by_key int REFERENCES api_keys,
  approved_by int REFERENCES operators,
  rejected_by int REFERENCES operators,
  end_note text NOT NULL DEFAULT '',

  -- Why it has not moved on; null in states that wait for nothing, and before the sender looked.
  wait_code text,
  wait_params jsonb,
  -- Holds and releases are counted, so that the source of each entry is its own.
  holds int NOT NULL DEFAULT 0,
  settlements int NOT NULL DEFAULT 0,

  -- The transaction: of `sends`.
  send_id bigint,
  from_address text,
  tx_id text,
  fee_units numeric(78, 0),
  block_number bigint,
  block_hash text,
  failure_reason text,
  retry_count int NOT NULL DEFAULT 0,
  last_retry_at timestamptz,

  -- The sequence of its last event (api.md 6.4).
  sequence int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  ended_at timestamptz,

  -- A transaction exists from `initiated` on, and not before.
  CHECK (status NOT IN ('initiated', 'sent', 'processed') OR send_id IS NOT NULL),
  CHECK (status NOT IN ('pending-approval', 'pending', 'rejected', 'cancelled') OR send_id IS NULL)
);
CREATE UNIQUE INDEX withdrawals_client_reference ON withdrawals (project_id, client_reference)
  WHERE client_reference IS NOT NULL;
CREATE UNIQUE INDEX withdrawals_send ON withdrawals (send_id) WHERE send_id IS NOT NULL;
CREATE INDEX withdrawals_of_project ON withdrawals (project_id, id DESC);
-- The sender takes the oldest first.
CREATE INDEX withdrawals_pending ON withdrawals (id) WHERE status = 'pending';
CREATE INDEX withdrawals_open ON withdrawals (project_id, status)
  WHERE status IN ('pending-approval', 'pending', 'initiated', 'sent');
-- The windows of hour and day.
CREATE INDEX withdrawals_decided ON withdrawals (project_id, decided_at)
  WHERE status IN ('pending', 'initiated', 'sent', 'processed');
CREATE INDEX withdrawals_of_payment ON withdrawals (refund_payment_id) WHERE refund_payment_id IS NOT NULL;
CREATE INDEX withdrawals_to ON withdrawals (project_id, blockchain_id, to_address);

-- Who approved which bytes (X-2). One operator approves one set of bytes once.
CREATE TABLE withdrawal_approvals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  operator_id int NOT NULL REFERENCES operators,
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  method text NOT NULL CHECK (method IN ('passkey', 'totp', 'backup', 'password', 'window')),
  -- What a passkey signed, where one did.
  signature bytea,
  note text NOT NULL DEFAULT '',
  at timestamptz NOT NULL,
  UNIQUE (withdrawal_id, operator_id, digest)
);

-- With what a described action was confirmed; of a passkey also what it signed.
ALTER TABLE step_up_tokens ADD COLUMN method text, ADD COLUMN signature bytea;

-- Refunds (money.md 3.6): what of a deposit was promised back, and by which payouts.
ALTER TABLE deposits ADD COLUMN refund_committed_units numeric(78, 0) NOT NULL DEFAULT 0,
  ADD CONSTRAINT refund_within_deposit CHECK (refund_committed_units BETWEEN 0 AND units);
CREATE TABLE refund_parts (
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  deposit_id bigint NOT NULL REFERENCES deposits,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  -- Whose money it was: a refund of an unapplied deposit takes the customer's.
  claim text NOT NULL CHECK (claim IN ('project:balance', 'customer:unapplied')),
  PRIMARY KEY (withdrawal_id, deposit_id)
);
CREATE INDEX refund_parts_of_deposit ON refund_parts (deposit_id);

-- The payout that a message is about.
ALTER TABLE deliveries ADD COLUMN payout_id bigint;
CREATE INDEX deliveries_of_payout ON deliveries (payout_id) WHERE payout_id IS NOT NULL;

-- The history of a payout is its events.
CREATE INDEX events_of_payout ON events (order_key, id) WHERE order_key LIKE 'payout:%';

-- Families that Kassa can send on: what was credited there could not be paid out before.
UPDATE assets SET withdrawal_enabled = true, updated_at = now()
WHERE blockchain_id IN (SELECT id FROM blockchains WHERE code IN ('ETH', 'BASE', 'POLYGON'));
