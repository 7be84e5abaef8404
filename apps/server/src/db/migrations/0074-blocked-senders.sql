-- Money from an address that the project blocks is quarantined.
ALTER TABLE deposits DROP CONSTRAINT deposits_quarantine_reason_check;
ALTER TABLE deposits ADD CONSTRAINT deposits_quarantine_reason_check
  CHECK (quarantine_reason IN ('NODE_DISAGREEMENT', 'AMOUNT_MISMATCH', 'ASSET_CHANGED', 'SENDER_BLOCKED'));
ALTER TABLE deposits DROP CONSTRAINT deposits_reason;
ALTER TABLE deposits ADD CONSTRAINT deposits_reason CHECK (reason IN (
  'other_network', 'late', 'price_lapsed', 'wrong_asset', 'no_price', 'no_payment', 'below_minimum', 'own', 'assigned', 'unassigned',
  'released', 'applied_by_policy', 'NODE_DISAGREEMENT', 'AMOUNT_MISMATCH', 'ASSET_CHANGED', 'SENDER_BLOCKED'));
