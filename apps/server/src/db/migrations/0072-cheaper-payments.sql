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
