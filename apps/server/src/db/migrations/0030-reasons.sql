-- An alarm stores the parameters of its sentence; those of an older version have only the sentence.
ALTER TABLE alarms ADD COLUMN params jsonb;

-- Why a deposit waits, and why it stands where it does, are codes of a closed list.
UPDATE deposits SET waits = CASE WHEN waits LIKE 'Two nodes must call%' THEN 'second_node_behind' ELSE 'second_node_silent' END
  WHERE waits IS NOT NULL;
ALTER TABLE deposits ADD CONSTRAINT deposits_waits CHECK (waits IN ('second_node_silent', 'second_node_behind'));

UPDATE deposits SET reason = 'applied_by_policy' WHERE reason = 'kept_money';
ALTER TABLE deposits ADD CONSTRAINT deposits_reason CHECK (reason IN (
  'other_network', 'late', 'price_lapsed', 'wrong_asset', 'no_price', 'no_payment', 'below_minimum', 'own',
  'assigned', 'unassigned', 'released', 'applied_by_policy', 'NODE_DISAGREEMENT', 'AMOUNT_MISMATCH', 'ASSET_CHANGED'));
UPDATE events SET payload = jsonb_set(payload, '{action}', '"apply_unapplied"')
  WHERE type = 'payment.resolved' AND payload ->> 'action' = 'apply_kept_money';
