-- Withdrawals of rewards (money.md 7.4): whose rewards they take, and how much of them, in the currency of the rewards.
ALTER TABLE withdrawals
  ADD COLUMN referrer_id int REFERENCES referrers,
  ADD COLUMN reward_unit_id int REFERENCES units,
  ADD COLUMN reward_units numeric(78, 0) CHECK (reward_units > 0),
  -- What the promoter could withdraw when it was asked for.
  ADD COLUMN reward_ready numeric(78, 0),
  ADD CONSTRAINT withdrawal_of_rewards CHECK (
    (type = 'withdrawal') = (referrer_id IS NOT NULL)
    AND (referrer_id IS NULL) = (reward_unit_id IS NULL) AND (referrer_id IS NULL) = (reward_units IS NULL)
    AND (referrer_id IS NULL) = (reward_ready IS NULL) AND reward_ready >= reward_units);
CREATE INDEX withdrawals_of_referrer ON withdrawals (referrer_id, id DESC) WHERE referrer_id IS NOT NULL;
-- The payouts of rewards of a project, newest first.
CREATE INDEX withdrawals_of_rewards ON withdrawals (project_id, created_at DESC, id DESC) WHERE type = 'withdrawal';


-- Codes that a promoter types to withdraw: a row is made when one is asked for, and the code with its mail. It is stored as a
-- keyed hash over the promoter and the link it was asked for with.
CREATE TABLE referral_codes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  referrer_id int NOT NULL REFERENCES referrers,
  token_id bigint NOT NULL,
  code_hash bytea,
  tries int NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Used, replaced by a newer one, or tried too often.
  ended_at timestamptz
);
CREATE UNIQUE INDEX referral_codes_one_works ON referral_codes (referrer_id) WHERE ended_at IS NULL;
CREATE INDEX referral_codes_of_referrer ON referral_codes (referrer_id, created_at);
CREATE INDEX referral_codes_created ON referral_codes (created_at);
