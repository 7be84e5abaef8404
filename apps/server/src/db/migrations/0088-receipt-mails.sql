-- Receipts that were asked for by e-mail during the last day: what limits how often one address is written to, and one receipt is sent.
CREATE TABLE receipt_mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id bigint NOT NULL REFERENCES payments,
  address text NOT NULL,
  requested_at timestamptz NOT NULL
);
CREATE INDEX receipt_mails_payment ON receipt_mails (payment_id);
CREATE INDEX receipt_mails_address ON receipt_mails (address);
CREATE INDEX receipt_mails_requested ON receipt_mails (requested_at);
