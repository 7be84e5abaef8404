-- Addresses are stored in the one spelling of their family and searched for in it: the adapters read every other one.
DROP INDEX addresses_text;
CREATE INDEX addresses_text ON addresses (address);
DROP INDEX deposits_sender;
CREATE INDEX deposits_sender ON deposits (from_address) WHERE payment_id IS NOT NULL;

-- A leg says nothing to anybody but its adapter. Whether a node can show the transfer again depends on what proved it.
ALTER TABLE unclaimed_transfers ADD COLUMN evidence text;
UPDATE unclaimed_transfers SET evidence = CASE WHEN leg LIKE 'internal:%' THEN 'trace' ELSE 'receipt' END;
ALTER TABLE unclaimed_transfers ALTER COLUMN evidence SET NOT NULL;
