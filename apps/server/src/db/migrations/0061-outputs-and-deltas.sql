-- What blocks say of a payment besides transfers: an output (Bitcoin), and what an account held after a transaction less what
-- it held before (Solana).
ALTER TABLE deposits DROP CONSTRAINT deposits_kind_check;
ALTER TABLE deposits ADD CONSTRAINT deposits_kind_check
  CHECK (kind IN ('token', 'native', 'internal', 'output', 'delta')) NOT VALID;
ALTER TABLE deposits VALIDATE CONSTRAINT deposits_kind_check;

UPDATE blockchains SET reason = 'Switch it on: its local chain starts with it.'
WHERE code = 'SOLANA' AND status = 'inactive' AND reason = 'The sandbox has no local chain of it.';
