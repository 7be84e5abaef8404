-- How many changes a cell has taken in. Changes are only ever added, so two readers who find the same number for a span, those that
-- wait included, see the same deposits in it: what was counted of them once is still so (decision 0028).
ALTER TABLE rollups ADD COLUMN changes bigint NOT NULL DEFAULT 0;

-- As before, but a deposit of one customer in place of an equal one of another is a change too.
CREATE OR REPLACE FUNCTION roll_up_deposits() RETURNS trigger LANGUAGE plpgsql AS $$
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
      OR array_agg(customer_id ORDER BY customer_id) FILTER (WHERE sign = 1)
        IS DISTINCT FROM array_agg(customer_id ORDER BY customer_id) FILTER (WHERE sign = -1)
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
