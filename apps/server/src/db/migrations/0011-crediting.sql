-- What a deposit counts for its payment, in units of the asset the payment asks for: fixed when it is decided whose money
-- it is; null while it counts for nothing (money.md 3.5, 4.5).
ALTER TABLE deposits ADD COLUMN counted_units numeric(78, 0) CHECK (counted_units >= 0);
