-- Addresses that may belong to somebody whom the database does not know any more, because it was restored from a backup: they
-- are watched like open ones and given to nobody.

ALTER TABLE addresses
  DROP CONSTRAINT addresses_status_check,
  ADD CONSTRAINT addresses_status_check CHECK (status IN ('open', 'assigned', 'withheld'));
