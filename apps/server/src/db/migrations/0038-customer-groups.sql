-- The group that a merchant puts a customer into (api.md O25).

ALTER TABLE customers ADD COLUMN group_name text NOT NULL DEFAULT 'vip-0';
