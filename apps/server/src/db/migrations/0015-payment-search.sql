-- What finding, sorting and counting among ten million payments needs.

-- A list of every project, newest first; payments_of_project does the same for one.
CREATE INDEX payments_newest ON payments (created_at DESC, id DESC);
CREATE INDEX payments_by_status ON payments (project_id, status, created_at DESC, id DESC);
CREATE INDEX payments_by_asset ON payments (project_id, asset_id, created_at DESC, id DESC);
CREATE INDEX payments_by_change ON payments (project_id, updated_at DESC, id DESC);
CREATE INDEX payments_by_amount ON payments (project_id, amount_usd DESC, id DESC);

-- Starts of words, and whole addresses and hashes.
CREATE INDEX payments_invoice_start ON payments (lower(invoice_id) text_pattern_ops) WHERE invoice_id <> '';
CREATE INDEX customers_email_start ON customers (lower(email) text_pattern_ops);
CREATE INDEX customers_id_start ON customers (lower(customer_id) text_pattern_ops);
CREATE INDEX addresses_text ON addresses (lower(address));
CREATE INDEX deposits_transaction ON deposits (tx_id) WHERE payment_id IS NOT NULL;
CREATE INDEX deposits_sender ON deposits (lower(from_address)) WHERE payment_id IS NOT NULL;

-- Payments per day (UTC) of their creation, status and asset (0: not chosen yet). What happened since they were summed up
-- last stands in payment_count_changes: writers only append there, so no two of them wait for the same row.
CREATE TABLE payment_counts (
  project_id int NOT NULL REFERENCES projects,
  day date NOT NULL,
  status text NOT NULL,
  asset_id int NOT NULL,
  payments bigint NOT NULL,
  PRIMARY KEY (project_id, day, status, asset_id)
);
CREATE TABLE payment_count_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL,
  day date NOT NULL,
  status text NOT NULL,
  asset_id int NOT NULL,
  change bigint NOT NULL
);

CREATE FUNCTION count_added_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_count_changes (project_id, day, status, asset_id, change)
  SELECT project_id, (created_at AT TIME ZONE 'UTC')::date, status, coalesce(asset_id, 0), count(*)
  FROM added GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_counted AFTER INSERT ON payments
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_payments();

CREATE FUNCTION count_moved_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_count_changes (project_id, day, status, asset_id, change)
  SELECT moved.project_id, (moved.created_at AT TIME ZONE 'UTC')::date, side.status, coalesce(side.asset_id, 0), sum(side.change)
  FROM after_it AS moved JOIN before_it AS was USING (id),
    LATERAL (VALUES (moved.status, moved.asset_id, 1), (was.status, was.asset_id, -1)) AS side (status, asset_id, change)
  WHERE (moved.status, moved.asset_id) IS DISTINCT FROM (was.status, was.asset_id)
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_recounted AFTER UPDATE ON payments
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION count_moved_payments();

INSERT INTO payment_counts (project_id, day, status, asset_id, payments)
SELECT project_id, (created_at AT TIME ZONE 'UTC')::date, status, coalesce(asset_id, 0), count(*)
FROM payments GROUP BY 1, 2, 3, 4;
