-- The coins on deposit addresses are added up by wallet too: what a wallet holds was the sum of an account for each of its addresses,
-- which took seconds at a million of them. `wallet_id` 0: an address that is not there.
ALTER TABLE coin_totals ADD COLUMN wallet_id int NOT NULL DEFAULT 0;
ALTER TABLE coin_totals DROP CONSTRAINT coin_totals_pkey;
ALTER TABLE coin_totals ALTER COLUMN wallet_id DROP DEFAULT;
ALTER TABLE coin_totals ADD PRIMARY KEY (project_id, wallet_id, unit_id);
DROP FUNCTION project_of_address(text);

-- What another process posts meanwhile waits: else it were in neither a change nor the totals.
LOCK TABLE postings IN SHARE ROW EXCLUSIVE MODE;
DELETE FROM coin_changes;
DELETE FROM coin_totals;
INSERT INTO coin_totals (project_id, wallet_id, unit_id, units)
SELECT coalesce(address.project_id, 0), coalesce(address.wallet_id, 0), account.unit_id, sum(account.debits - account.credits)
FROM accounts AS account
LEFT JOIN addresses AS address
  ON address.id = CASE WHEN account.owner_key ~ '^address:\d{1,18}$' THEN substr(account.owner_key, 9)::bigint END
WHERE account.kind = 'chain:deposit-addresses' GROUP BY 1, 2, 3;

-- The addresses of a wallet are counted by their state without reading them.
CREATE INDEX addresses_by_status ON addresses (wallet_id, status);

-- Customers are listed by their creation, of one project and of all.
CREATE INDEX customers_of_project ON customers (project_id, created_at DESC, id DESC);
CREATE INDEX customers_newest ON customers (created_at DESC, id DESC);
