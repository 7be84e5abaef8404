-- A send that a reorganisation takes back may cost what it had cost: of a transaction whose bytes TRON gave for free, nothing.
ALTER TABLE sends DROP CONSTRAINT sends_fee_ceiling_check;
ALTER TABLE sends ADD CONSTRAINT sends_fee_ceiling CHECK (fee_ceiling > 0 OR (fee_ceiling = 0 AND decisions > 0)) NOT VALID;
