-- What the rows of an address summed up to when the discrepancy was found. A deposit that is found in its block after the
-- discrepancy was booked changes this sum, and the booking is reversed. Null: found by an older version.
ALTER TABLE discrepancies ADD COLUMN expected_units numeric(78, 0);
