-- A payment is inserted alone: counting a row costs less than gathering the rows of a statement to group one of them.
DROP TRIGGER payments_counted ON payments;
DROP TRIGGER payments_requested ON payments;

CREATE OR REPLACE FUNCTION count_added_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_count_changes (project_id, day, status, asset_id, change)
  VALUES (NEW.project_id, (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.status, coalesce(NEW.asset_id, 0), 1);
  RETURN NULL;
END $$;
CREATE TRIGGER payments_counted AFTER INSERT ON payments FOR EACH ROW EXECUTE FUNCTION count_added_payments();

CREATE OR REPLACE FUNCTION roll_up_requesters() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first_at timestamptz;
BEGIN
  UPDATE customers SET first_payment_at = (
    SELECT min(payment.created_at) FROM payments AS payment WHERE payment.customer_id = NEW.customer_id)
  WHERE id = NEW.customer_id AND first_payment_at IS NULL RETURNING first_payment_at INTO first_at;
  IF FOUND THEN
    INSERT INTO rollup_changes (kind, project_id, slot, asset_id, units, usd, count)
    VALUES ('requester', NEW.project_id, quarter_of(first_at), 0, 0, 0, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_requested AFTER INSERT ON payments FOR EACH ROW EXECUTE FUNCTION roll_up_requesters();
