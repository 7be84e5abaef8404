-- The language an operator chose for the dashboard, as a tag of BCP 47; null: English, or what a device was set to.
ALTER TABLE operators ADD COLUMN locale text CHECK (locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$');
