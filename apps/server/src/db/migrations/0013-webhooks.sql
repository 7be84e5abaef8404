-- What webhooks need beyond 0006: secrets in overlap, keys of our own, leases of attempts, and a feed that skips nothing.

-- Old secrets that still sign, until receivers have the new one.
CREATE TABLE webhook_old_secrets (
  webhook_id int NOT NULL REFERENCES webhooks,
  secret_ref int NOT NULL REFERENCES secrets,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, secret_ref)
);

-- The Ed25519 keys of `v1a` signatures; one of them signs.
CREATE TABLE webhook_keys (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_key text NOT NULL,
  secret_ref int NOT NULL REFERENCES secrets,
  from_at timestamptz NOT NULL,
  until_at timestamptz
);
CREATE UNIQUE INDEX webhook_keys_one_signs ON webhook_keys ((true)) WHERE until_at IS NULL;

ALTER TABLE deliveries
  -- Attempts made before somebody asked for it again: the schedule begins anew, the numbering goes on.
  ADD COLUMN attempts_before int NOT NULL DEFAULT 0,
  -- An attempt is under way and holds until then; null when none is.
  ADD COLUMN leased_until timestamptz,
  -- Later events of the same order key wait until then; null before the first attempt.
  ADD COLUMN ordered_until timestamptz,
  ADD CHECK (leased_until IS NULL OR attempt_count > attempts_before);

DROP INDEX deliveries_waiting;
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, next_retry_at, id) WHERE status = 'pending';
DROP INDEX deliveries_of_reference;
CREATE INDEX deliveries_of_reference ON deliveries (reference_id, sequence) WHERE reference_id IS NOT NULL;
CREATE INDEX deliveries_held ON deliveries (reference_id) WHERE status = 'waiting_for_approval';
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, id DESC);

ALTER TABLE delivery_attempts
  DROP CONSTRAINT delivery_attempts_delivery_id_fkey,
  ADD FOREIGN KEY (delivery_id) REFERENCES deliveries ON DELETE CASCADE;

-- Ids are given before the commit, so a reader could pass by one that commits late. Every transaction that writes events
-- therefore shows, by a lock that ends with it, the newest id that was given before its first one; the feed reads no
-- further than the lowest of these. The tag in the upper 16 bits keeps these locks apart from others.
CREATE FUNCTION show_events_writer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('kassa.writes_events', true), '') = '' THEN
    PERFORM pg_advisory_xact_lock_shared(
      (19269::bigint << 48) | (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM events_id_seq));
    PERFORM set_config('kassa.writes_events', 'yes', true);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER events_writer BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION show_events_writer();
