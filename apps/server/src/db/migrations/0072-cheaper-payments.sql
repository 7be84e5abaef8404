-- What a new payment costs PostgreSQL (decision 0054): three look-ups of foreign keys less, and a cheaper sign of who writes events.

-- A customer and their payments are of one project: one key says so where two only said that both exist.
CREATE UNIQUE INDEX customers_in_project ON customers (id, project_id);
ALTER TABLE payments
  ADD CONSTRAINT payments_customer_in_project FOREIGN KEY (customer_id, project_id) REFERENCES customers (id, project_id),
  DROP CONSTRAINT payments_customer_id_fkey,
  DROP CONSTRAINT payments_project_id_fkey;

-- Events are a log, as audit_entries are: they name the project of a row that was written with them, and no project is ever deleted.
ALTER TABLE events DROP CONSTRAINT events_project_id_fkey;

-- As before, without a query: the last id that was given comes from the sequence itself, null when none was.
CREATE OR REPLACE FUNCTION show_events_writer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown text;
BEGIN
  IF coalesce(current_setting('kassa.writes_events', true), '') = '' THEN
    shown := pg_advisory_xact_lock_shared((19269::bigint << 48) | coalesce(pg_sequence_last_value('events_id_seq'), 0))::text;
    shown := set_config('kassa.writes_events', 'yes', true);
  END IF;
  RETURN NULL;
END $$;

-- A customer who is made for their first payment is stored with its time: a row of this transaction is not written twice. Customers
-- from before, and those who were added by hand, get it from their first payment as they did (migration 0045).
CREATE FUNCTION roll_up_new_requester() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rollup_changes (kind, project_id, slot, asset_id, units, usd, count)
  VALUES ('requester', NEW.project_id, quarter_of(NEW.first_payment_at), 0, 0, 0, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER customers_requested AFTER INSERT ON customers
  FOR EACH ROW WHEN (NEW.first_payment_at IS NOT NULL) EXECUTE FUNCTION roll_up_new_requester();
