-- A transaction of TRON has no number among those of its address; it lapses by itself at a time instead.
ALTER TABLE sweep_permissions ADD COLUMN valid_until timestamptz;
ALTER TABLE sweep_permissions DROP CONSTRAINT sweep_permissions_transaction;
ALTER TABLE sweep_permissions ADD CONSTRAINT sweep_permissions_transaction CHECK (
  num_nonnulls(tx_id, raw, body, coalesce(sequence::text, valid_until::text), max_fee, planned_height)
    = CASE WHEN kind IN ('approve_tx', 'transfer_tx') AND signature IS NOT NULL THEN 6 ELSE 0 END);
