-- What lies on the deposit addresses of each project, added up (decision 0053): among ten million payments it is the sum of millions
-- of accounts. Kept as the roll-ups are: whoever posts appends a change, a job adds changes to the totals, readers add both.

-- `project_id` 0: addresses that no customer has.
CREATE TABLE coin_totals (
  project_id int NOT NULL,
  unit_id int NOT NULL,
  units numeric NOT NULL,
  PRIMARY KEY (project_id, unit_id)
);
CREATE TABLE coin_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL,
  units numeric NOT NULL
);

-- What another process posts meanwhile waits: else it were in neither a change nor the totals.
LOCK TABLE postings IN SHARE ROW EXCLUSIVE MODE;

-- The project of the address that an account belongs to.
CREATE FUNCTION project_of_address(owner_key text) RETURNS int LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce((
    SELECT project_id FROM addresses WHERE id = CASE WHEN owner_key ~ '^address:\d{1,18}$' THEN substr(owner_key, 9)::bigint END), 0)
$$;

-- As before; the accounts of deposit addresses append what they changed by.
CREATE OR REPLACE FUNCTION apply_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched record;
  moved text;
BEGIN
  FOR touched IN
    SELECT account, sum(debit) AS debit, sum(credit) AS credit
    FROM (
      SELECT debit_account AS account, units AS debit, 0::numeric AS credit FROM added
      UNION ALL
      SELECT credit_account, 0, units FROM added
    ) AS lines
    GROUP BY account
    ORDER BY account
  LOOP
    UPDATE accounts SET debits = debits + touched.debit, credits = credits + touched.credit WHERE id = touched.account
    RETURNING kind INTO moved;
    IF moved = 'chain:deposit-addresses' AND touched.debit <> touched.credit THEN
      INSERT INTO coin_changes (account_id, units) VALUES (touched.account, touched.debit - touched.credit);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

INSERT INTO coin_totals (project_id, unit_id, units)
SELECT coalesce(address.project_id, 0), account.unit_id, sum(account.debits - account.credits)
FROM accounts AS account
LEFT JOIN addresses AS address
  ON address.id = CASE WHEN account.owner_key ~ '^address:\d{1,18}$' THEN substr(account.owner_key, 9)::bigint END
WHERE account.kind = 'chain:deposit-addresses' GROUP BY 1, 2;
