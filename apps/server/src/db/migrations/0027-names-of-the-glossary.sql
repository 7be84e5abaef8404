-- Tables and columns take the terms of docs/GLOSSARY.md while no release has promised the old ones.

ALTER TABLE node_opinions RENAME TO cross_checks;
ALTER TABLE balance_looks RENAME TO address_snapshots;
ALTER INDEX balance_looks_by_height RENAME TO address_snapshots_by_height;
ALTER TABLE balance_finds RENAME TO balance_deposits;
ALTER TABLE chain_findings RENAME TO discrepancies;
ALTER INDEX chain_findings_open_once RENAME TO discrepancies_open_once;
ALTER INDEX chain_findings_booked RENAME TO discrepancies_booked;
ALTER TABLE book_checks RENAME TO ledger_checks;
ALTER TABLE price_turns RENAME TO price_polls;

ALTER TABLE address_snapshots RENAME COLUMN looked_at TO checked_at;
ALTER TABLE chain_cursors RENAME COLUMN looked_at TO checked_at;
ALTER TABLE deposits RENAME COLUMN round TO revision;
ALTER TABLE deposits RENAME COLUMN doubt TO quarantine_reason;
ALTER TABLE deposits RENAME COLUMN waits_because TO waits;
ALTER INDEX deposits_without_opinion RENAME TO deposits_to_cross_check;
ALTER TABLE payments RENAME COLUMN settled_at TO resolved_at;
ALTER TABLE payments RENAME COLUMN settled_by TO resolved_by;
ALTER TABLE payments RENAME COLUMN settled_note TO resolved_note;

-- Constraints and sequences take the names of what they belong to.
DO $$
DECLARE
  old_name text;
  new_name text;
  found record;
BEGIN
  FOR old_name, new_name IN VALUES
    ('node_opinions_', 'cross_checks_'), ('balance_looks_', 'address_snapshots_'), ('balance_finds_', 'balance_deposits_'),
    ('chain_findings_', 'discrepancies_'), ('book_checks_', 'ledger_checks_'), ('price_turns_', 'price_polls_'),
    ('deposits_doubt_', 'deposits_quarantine_reason_'), ('deposits_round_', 'deposits_revision_')
  LOOP
    FOR found IN SELECT conrelid::regclass AS owner, conname AS name FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND starts_with(conname, old_name)
    LOOP
      EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', found.owner, found.name,
        new_name || substr(found.name, length(old_name) + 1));
    END LOOP;
    FOR found IN SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND starts_with(relname, old_name)
    LOOP
      EXECUTE format('ALTER SEQUENCE %I RENAME TO %I', found.name, new_name || substr(found.name, length(old_name) + 1));
    END LOOP;
  END LOOP;
END $$;

-- No deposit was ever stored as "confirmed": a final one is decided about in the transaction that finds it final.
ALTER TABLE deposits DROP CONSTRAINT deposits_status_check, ADD CONSTRAINT deposits_status_check
  CHECK (status IN ('seen', 'applied', 'unapplied', 'quarantined', 'reverted', 'ignored'));

UPDATE alarms SET kind = 'ledger_imbalance' WHERE kind = 'books_broken';
-- The timeline of a payment is printed from its events.
UPDATE events SET payload = jsonb_set(payload, '{action}', CASE payload ->> 'action'
    WHEN 'settle' THEN '"mark_resolved"'::jsonb ELSE '"apply_unapplied"'::jsonb END)
  WHERE type = 'payment.resolved' AND payload ->> 'action' IN ('settle', 'apply_kept_money');
