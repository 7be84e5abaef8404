-- What lists and pages of promoters show of each is kept, not added up: a page costs the same after a million rewards (decision 0056).

-- Of a promoter by currency and side; what of it is ready, under way and owed back are accounts of the ledger.
CREATE TABLE reward_totals (
  referrer_id int NOT NULL,
  unit_id int NOT NULL REFERENCES units,
  side text NOT NULL CHECK (side IN ('referrer', 'referee')),
  project_id int NOT NULL,
  -- What reversals left, and what of it was paid.
  earned numeric(78, 0) NOT NULL CHECK (earned >= 0),
  paid numeric(78, 0) NOT NULL CHECK (paid >= 0),
  PRIMARY KEY (referrer_id, unit_id, side),
  FOREIGN KEY (referrer_id, project_id) REFERENCES referrers (id, project_id)
);
CREATE INDEX reward_totals_of_project ON reward_totals (project_id, side);

-- Over all currencies, 1 : 1, and how many customers a person brought: lists are sorted by them.
ALTER TABLE referrers
  ADD COLUMN earned numeric(78, 0) NOT NULL DEFAULT 0 CHECK (earned >= 0),
  ADD COLUMN referee_count int NOT NULL DEFAULT 0 CHECK (referee_count >= 0);

-- Of what a campaign has given, the part of the invitees.
ALTER TABLE campaigns ADD COLUMN given_to_referees numeric(78, 0) NOT NULL DEFAULT 0 CHECK (given_to_referees BETWEEN 0 AND given);

-- Few rewards of a campaign are in some of the states.
CREATE INDEX rewards_of_campaign_by_status ON rewards (campaign_id, status, created_at DESC, id DESC);

INSERT INTO reward_totals (referrer_id, unit_id, side, project_id, earned, paid)
SELECT referrer_id, unit_id, side, project_id, sum(units - reversed_units), sum(paid_units) FROM rewards GROUP BY 1, 2, 3, 4;
UPDATE referrers SET earned = coalesce(total.earned, 0), referee_count = coalesce(brought.n, 0)
FROM referrers AS person
LEFT JOIN (SELECT referrer_id, sum(earned) AS earned FROM reward_totals GROUP BY 1) AS total ON total.referrer_id = person.id
LEFT JOIN (SELECT referred_by, count(*) AS n FROM referrers WHERE referred_by IS NOT NULL GROUP BY 1) AS brought
  ON brought.referred_by = person.id
WHERE person.id = referrers.id AND (total.earned > 0 OR brought.n > 0);
-- After the rows are filled: each is written into an index once.
CREATE INDEX referrers_by_earned ON referrers (project_id, earned DESC, id DESC);
CREATE INDEX referrers_by_referees ON referrers (project_id, referee_count DESC, id DESC);
CREATE INDEX referrers_by_email ON referrers (project_id, lower(email), id);

UPDATE campaigns SET given_to_referees = given.units
FROM (SELECT campaign_id, sum(units - reversed_units) AS units FROM rewards WHERE side = 'referee' GROUP BY 1) AS given
WHERE id = given.campaign_id;

CREATE FUNCTION total_rewards_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reward_totals AS total (referrer_id, unit_id, side, project_id, earned, paid)
  VALUES (NEW.referrer_id, NEW.unit_id, NEW.side, NEW.project_id, NEW.units - NEW.reversed_units, NEW.paid_units)
  ON CONFLICT (referrer_id, unit_id, side) DO UPDATE
  SET earned = total.earned + EXCLUDED.earned, paid = total.paid + EXCLUDED.paid;
  UPDATE referrers SET earned = earned + NEW.units - NEW.reversed_units WHERE id = NEW.referrer_id;
  RETURN NULL;
END $$;
CREATE TRIGGER rewards_added AFTER INSERT ON rewards FOR EACH ROW EXECUTE FUNCTION total_rewards_added();

-- A withdrawal may settle thousands of rewards in one statement.
CREATE FUNCTION total_rewards_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH change AS (
    SELECT referrer_id, unit_id, side, sum(earned) AS earned, sum(paid) AS paid
    FROM (
      SELECT referrer_id, unit_id, side, units - reversed_units AS earned, paid_units AS paid FROM after_it
      UNION ALL
      SELECT referrer_id, unit_id, side, reversed_units - units, -paid_units FROM before_it
    ) AS moved
    GROUP BY 1, 2, 3 HAVING sum(earned) <> 0 OR sum(paid) <> 0
  ), totalled AS (
    UPDATE reward_totals AS total SET earned = total.earned + change.earned, paid = total.paid + change.paid
    FROM change
    WHERE total.referrer_id = change.referrer_id AND total.unit_id = change.unit_id AND total.side = change.side
  )
  UPDATE referrers SET earned = referrers.earned + person.earned
  FROM (SELECT referrer_id, sum(earned) AS earned FROM change GROUP BY 1 HAVING sum(earned) <> 0) AS person
  WHERE referrers.id = person.referrer_id;
  RETURN NULL;
END $$;
CREATE TRIGGER rewards_changed AFTER UPDATE ON rewards
REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION total_rewards_changed();

CREATE FUNCTION count_referees() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.referred_by IS NOT DISTINCT FROM NEW.referred_by THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' THEN
    UPDATE referrers SET referee_count = referee_count - 1 WHERE id = OLD.referred_by;
  END IF;
  UPDATE referrers SET referee_count = referee_count + 1 WHERE id = NEW.referred_by;
  RETURN NULL;
END $$;
CREATE TRIGGER referrers_counted AFTER INSERT OR UPDATE OF referred_by ON referrers FOR EACH ROW EXECUTE FUNCTION count_referees();
