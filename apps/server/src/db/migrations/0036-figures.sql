-- What the analytics count (api.md 8, decision 0027): roll-ups beside deposits and payments, exact at every moment.

-- What an applied deposit counts for in dollars, to the micro-dollar: the difference it makes to the value of its payment at the price
-- of the payment's quote, deposits taken in order of id, so that they add up to the payment's filled_usd. Set with counted_units; a
-- deposit is counted while it is applied and has a value here. Null for what was applied before this migration until it is backfilled.
ALTER TABLE deposits ADD COLUMN counted_usd numeric CHECK (counted_usd >= 0);

-- The block time of a customer's first counted deposit, and when its first payment was created.
ALTER TABLE customers ADD COLUMN first_final_at timestamptz, ADD COLUMN first_payment_at timestamptz;

-- Counted deposits by the time of their block: distinct customers, and the ends of a span that are no whole quarter of an hour.
CREATE INDEX deposits_counted ON deposits (project_id, block_time) INCLUDE (customer_id, asset_id, payment_id, counted_usd)
  WHERE status = 'applied' AND counted_usd IS NOT NULL;

-- Distinct customers of the payments of a span are read from this index alone.
DROP INDEX payments_of_project;
CREATE INDEX payments_of_project ON payments (project_id, created_at DESC, id DESC) INCLUDE (customer_id);

-- Sums by quarter of an hour and longer cells, whose length in quarters is `level`; `slot` is the first quarter of a cell since 1970.
-- Kinds: `paid` counted deposits by the time of their block · `payer` customers by first_final_at · `requester` customers by
-- first_payment_at. The last two have asset 0 and count only.
CREATE TABLE rollups (
  kind text NOT NULL,
  level int NOT NULL,
  project_id int NOT NULL,
  slot int NOT NULL,
  asset_id int NOT NULL,
  units numeric NOT NULL,
  usd numeric NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (kind, level, project_id, slot, asset_id)
);

-- What was counted since the last compaction. Writers only append here, so no two of them wait for the same row.
CREATE TABLE rollup_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  project_id int NOT NULL,
  slot int NOT NULL,
  asset_id int NOT NULL,
  units numeric NOT NULL,
  usd numeric NOT NULL,
  count bigint NOT NULL
);

-- Seconds from a payment link to its final deposit, by day (UTC) of the block and network: bucket n holds what lies between 1.02^n and
-- 1.02^(n+1) seconds.
CREATE TABLE finality_times (
  project_id int NOT NULL,
  day date NOT NULL,
  blockchain_id int NOT NULL,
  bucket int NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (project_id, day, blockchain_id, bucket)
);
CREATE TABLE finality_time_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL,
  day date NOT NULL,
  blockchain_id int NOT NULL,
  bucket int NOT NULL,
  count bigint NOT NULL
);

CREATE FUNCTION quarter_of(at timestamptz) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT floor(extract(epoch FROM at) / 900)::int
$$;

-- Ties go to the even neighbour, as everywhere in Kassa (primitives/money/rate.ts).
CREATE FUNCTION usd_for_units(units numeric, price numeric, decimals int) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN micro - floor(micro) = 0.5 THEN 2 * round(micro / 2) ELSE round(micro) END * 0.000001
  FROM (SELECT units * price * power(10::numeric, 6 - decimals) AS micro) AS value
$$;

CREATE FUNCTION finality_bucket(seconds numeric) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT floor(ln(greatest(seconds, 1)) / ln(1.02))::int
$$;

-- Counts deposits whose counting changed: what they counted for is taken off, what they count for now is added. One trigger for every
-- writer: crediting, reorganisations, operators, the backfill, and whoever comes next.
CREATE FUNCTION roll_up_deposits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- No join of the two: its plan would be kept from a statement with one row for one with thousands.
  IF NOT EXISTS (SELECT FROM before_it WHERE status = 'applied' AND counted_usd IS NOT NULL)
    AND NOT EXISTS (SELECT FROM after_it WHERE status = 'applied' AND counted_usd IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  WITH moved AS (
    SELECT -1 AS sign, was.* FROM before_it AS was WHERE was.status = 'applied' AND was.counted_usd IS NOT NULL
    UNION ALL
    SELECT 1, now.* FROM after_it AS now WHERE now.status = 'applied' AND now.counted_usd IS NOT NULL
  ), rolled AS (
    INSERT INTO rollup_changes (kind, project_id, slot, asset_id, units, usd, count)
    SELECT 'paid', project_id, quarter_of(block_time), asset_id, sum(sign * units), sum(sign * counted_usd), sum(sign)
    FROM moved GROUP BY project_id, quarter_of(block_time), asset_id
    HAVING sum(sign * units) <> 0 OR sum(sign * counted_usd) <> 0 OR sum(sign) <> 0
  ), timed AS (
    INSERT INTO finality_time_changes (project_id, day, blockchain_id, bucket, count)
    SELECT moved.project_id, (moved.block_time AT TIME ZONE 'UTC')::date, moved.blockchain_id,
      finality_bucket(extract(epoch FROM moved.final_at - payment.created_at)), sum(moved.sign)
    FROM moved JOIN payments AS payment ON payment.id = moved.payment_id
    WHERE moved.final_at IS NOT NULL
    GROUP BY 1, 2, 3, 4 HAVING sum(moved.sign) <> 0
  ), touched AS (
    SELECT customer_id, min(block_time) FILTER (WHERE sign = 1) AS added, min(block_time) FILTER (WHERE sign = -1) AS removed
    FROM moved GROUP BY customer_id
  ), firsts AS (
    UPDATE customers AS customer SET first_final_at = CASE
      WHEN touched.removed <= was.first_final_at THEN (
        SELECT min(deposit.block_time) FROM deposits AS deposit
        WHERE deposit.customer_id = customer.id AND deposit.status = 'applied' AND deposit.counted_usd IS NOT NULL)
      ELSE least(was.first_final_at, touched.added) END
    FROM touched JOIN customers AS was ON was.id = touched.customer_id
    WHERE customer.id = was.id AND (
      was.first_final_at IS NULL OR touched.added < was.first_final_at OR touched.removed <= was.first_final_at)
    RETURNING customer.project_id, was.first_final_at AS before, customer.first_final_at AS after
  )
  INSERT INTO rollup_changes (kind, project_id, slot, asset_id, units, usd, count)
  SELECT 'payer', project_id, quarter_of(side.at), 0, 0, 0, sum(side.sign)
  FROM firsts, LATERAL (VALUES (before, -1), (after, 1)) AS side (at, sign)
  WHERE side.at IS NOT NULL GROUP BY project_id, quarter_of(side.at) HAVING sum(side.sign) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER deposits_rolled_up AFTER UPDATE ON deposits
  REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION roll_up_deposits();

-- A customer's first payment. Of a customer from before this migration it is looked up.
CREATE FUNCTION roll_up_requesters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH firsts AS (
    UPDATE customers AS customer SET first_payment_at = (
      SELECT min(payment.created_at) FROM payments AS payment WHERE payment.customer_id = customer.id)
    WHERE customer.id IN (SELECT customer_id FROM added) AND customer.first_payment_at IS NULL
    RETURNING project_id, first_payment_at
  )
  INSERT INTO rollup_changes (kind, project_id, slot, asset_id, units, usd, count)
  SELECT 'requester', project_id, quarter_of(first_payment_at), 0, 0, 0, count(*) FROM firsts GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE TRIGGER payments_requested AFTER INSERT ON payments
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION roll_up_requesters();

-- How far what was there before is counted. Each batch moves a position in the transaction that counts it, so that an interrupted
-- backfill goes on where it stood. An empty install has nothing to count.
CREATE TABLE rollup_backfill (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  deposit_id bigint NOT NULL DEFAULT 0,
  last_deposit_id bigint NOT NULL,
  customer_id int NOT NULL DEFAULT 0,
  last_customer_id int NOT NULL
);
INSERT INTO rollup_backfill (last_deposit_id, last_customer_id)
SELECT (SELECT coalesce(max(id), 0) FROM deposits), (SELECT coalesce(max(id), 0) FROM customers);

-- How an operator arranged the groups of graphs (api.md N4); `filters` by project (or `all`), then by the filter's id.
CREATE TABLE analytics_choices (
  operator_id int NOT NULL REFERENCES operators ON DELETE CASCADE,
  group_id int NOT NULL,
  visible boolean,
  sequence int,
  filters jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (operator_id, group_id)
);
