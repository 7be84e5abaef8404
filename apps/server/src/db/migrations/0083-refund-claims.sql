-- Where the payer of a payment wants money of it to be returned: their word, which pays nothing by itself. Each row is one version: naming
-- another address makes a new row, so that a refund can be bound to the very address that an operator looked at.
CREATE TABLE refund_claims (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id bigint NOT NULL REFERENCES payments,
  blockchain_id int NOT NULL REFERENCES blockchains,
  address text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'replaced', 'accepted', 'declined')),
  -- The refund that pays it; it is open again when that ends without paying.
  withdrawal_id bigint REFERENCES withdrawals,
  claimed_at timestamptz NOT NULL,
  declined_at timestamptz,
  declined_by text,
  declined_note text,
  CHECK ((status = 'accepted') = (withdrawal_id IS NOT NULL)),
  CHECK ((status = 'declined') = (declined_at IS NOT NULL AND declined_by IS NOT NULL AND declined_note IS NOT NULL))
);
-- One claim of a payment stands at a time; a declined one is the last.
CREATE UNIQUE INDEX refund_claims_current ON refund_claims (payment_id) WHERE status <> 'replaced';
CREATE INDEX refund_claims_open ON refund_claims (payment_id) WHERE status = 'open';
CREATE INDEX refund_claims_withdrawal ON refund_claims (withdrawal_id) WHERE withdrawal_id IS NOT NULL;
