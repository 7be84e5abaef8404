-- What the search over everything looks for: the starts of texts, and the receivers and transactions of payouts of every project.
CREATE INDEX customers_name_start ON customers (lower(name) text_pattern_ops) WHERE name <> '';
CREATE INDEX withdrawals_email_start ON withdrawals (lower(recipient_email) text_pattern_ops) WHERE recipient_email IS NOT NULL;
CREATE INDEX withdrawals_name_start ON withdrawals (lower(recipient_name) text_pattern_ops) WHERE recipient_name IS NOT NULL;
CREATE INDEX withdrawals_reference_start ON withdrawals (lower(client_reference) text_pattern_ops)
  WHERE client_reference IS NOT NULL;
CREATE INDEX withdrawals_receiver ON withdrawals (to_address);
CREATE INDEX withdrawals_transaction ON withdrawals (tx_id) WHERE tx_id IS NOT NULL;
