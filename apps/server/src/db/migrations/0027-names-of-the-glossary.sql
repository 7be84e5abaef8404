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

UPDATE alarms SET kind = 'ledger_imbalance' WHERE kind = 'books_broken';
-- The timeline of a payment is printed from its events.
UPDATE events SET payload = jsonb_set(payload, '{action}', '"mark_resolved"')
  WHERE type = 'payment.resolved' AND payload ->> 'action' = 'settle';
