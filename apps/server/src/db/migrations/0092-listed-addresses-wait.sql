-- Addresses that were added to the list of a wallet are given to no customer before this time; null: at once.
ALTER TABLE addresses ADD COLUMN usable_at timestamptz;
