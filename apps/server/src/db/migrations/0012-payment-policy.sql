-- How a project wants its payments handled, and what people decide about payments (api.md P8, Y22).

-- What differs from the defaults, by field.
ALTER TABLE projects ADD COLUMN payment_policy jsonb NOT NULL DEFAULT '{}';

-- Who holds an invoice id while the policy lets only one payment have it. A row of its own: money must be able to fill a
-- cancelled payment whose invoice id another one has by now.
CREATE TABLE invoice_claims (
  project_id int NOT NULL REFERENCES projects,
  invoice_id text NOT NULL CHECK (invoice_id <> ''),
  payment_id bigint NOT NULL REFERENCES payments,
  PRIMARY KEY (project_id, invoice_id)
);

-- Less than was asked counts as paid while at least so much is final: a person said so (money.md 3.5, row 15).
ALTER TABLE payments
  ADD COLUMN accepted_units numeric(78, 0) CHECK (accepted_units > 0),
  ADD COLUMN accepted_at timestamptz,
  ADD COLUMN accepted_by text,
  ADD COLUMN accepted_note text,
  ADD CHECK ((accepted_units IS NULL) = (accepted_at IS NULL)),
  ADD CHECK ((accepted_units IS NULL) = (accepted_by IS NULL)),
  ADD CHECK ((accepted_units IS NULL) = (accepted_note IS NULL));

-- Lists of deposits of a project, and of money that waits for a person.
CREATE INDEX deposits_of_project ON deposits (project_id, id DESC);
CREATE INDEX deposits_missed ON deposits (project_id, id DESC) WHERE status IN ('unapplied', 'quarantined');
CREATE INDEX deposits_missed_of_customer ON deposits (customer_id, id DESC) WHERE status IN ('unapplied', 'quarantined');
CREATE INDEX deposits_of_transaction ON deposits (tx_id);
