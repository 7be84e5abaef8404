-- The referral programme (api.md R, G; money.md 4.8): who brought whom, what customers did, what is owed for it.

-- Currencies that rewards are owed in, on no particular network. Amounts of the programme have six decimals.
INSERT INTO units (id, asset_id, blockchain_code, currency_code, decimals) VALUES
  (1000001, NULL, NULL, 'USD', 6), (1000002, NULL, NULL, 'USDC', 6), (1000003, NULL, NULL, 'USDT', 6);
CREATE UNIQUE INDEX units_of_currency ON units (currency_code) WHERE asset_id IS NULL;

-- What customers can do. Key and type never change.
CREATE TABLE referral_events (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  key text NOT NULL CHECK (key ~ '^[A-Za-z0-9_-]{1,100}$'),
  name text NOT NULL CHECK (name <> ''),
  event_type text NOT NULL CHECK (event_type IN ('simple', 'payment')),
  description text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (project_id, key),
  UNIQUE (id, project_id)
);
-- Every project has the event that Kassa logs itself.
CREATE FUNCTION open_payment_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO referral_events (project_id, key, name, event_type, description, created_at, updated_at)
  VALUES (NEW.id, 'kassa_payment', 'Payment through Kassa', 'payment', '', NEW.created_at, NEW.created_at);
  RETURN NULL;
END $$;
CREATE TRIGGER projects_open_payment_event AFTER INSERT ON projects FOR EACH ROW EXECUTE FUNCTION open_payment_event();
INSERT INTO referral_events (project_id, key, name, event_type, created_at, updated_at)
SELECT id, 'kassa_payment', 'Payment through Kassa', 'payment', created_at, created_at FROM projects;

-- Amounts are millionths of the currency; of a percentage, millionths of a percent.
CREATE TABLE campaigns (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  name text NOT NULL CHECK (name <> ''),
  description text NOT NULL DEFAULT '',
  unit_id int NOT NULL REFERENCES units,
  reward_type text CHECK (reward_type IN ('flat_fee', 'percentage')),
  reward_value numeric(78, 0) CHECK (reward_value > 0),
  reward_cap numeric(78, 0) CHECK (reward_cap > 0),
  invitee_reward_type text CHECK (invitee_reward_type IN ('flat_fee', 'percentage')),
  invitee_reward_value numeric(78, 0) CHECK (invitee_reward_value > 0),
  invitee_reward_cap numeric(78, 0) CHECK (invitee_reward_cap > 0),
  per_customer text NOT NULL CHECK (per_customer IN ('one_time', 'forever', 'months_per_customer', 'count_per_customer')),
  months int CHECK (months > 0),
  occurrences int CHECK (occurrences > 0),
  person_limit numeric(78, 0) CHECK (person_limit > 0),
  budget numeric(78, 0) CHECK (budget > 0),
  starts_at timestamptz,
  ends_at timestamptz,
  is_default boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'archived')),
  paused_because text CHECK (paused_because IN ('operator', 'budget')),
  -- What happened earlier does not count.
  consider_events_from timestamptz NOT NULL,
  -- What its rewards are worth after reversals.
  given numeric(78, 0) NOT NULL DEFAULT 0 CHECK (given >= 0),
  -- Those of which anything is left.
  reward_count int NOT NULL DEFAULT 0 CHECK (reward_count >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT within_budget CHECK (given <= budget),
  CHECK ((reward_type IS NULL) = (reward_value IS NULL)),
  CHECK ((invitee_reward_type IS NULL) = (invitee_reward_value IS NULL)),
  CHECK (reward_type IS NOT NULL OR invitee_reward_type IS NOT NULL),
  CHECK (reward_cap IS NULL OR reward_type = 'percentage'),
  CHECK (invitee_reward_cap IS NULL OR invitee_reward_type = 'percentage'),
  CHECK ((per_customer = 'months_per_customer') = (months IS NOT NULL)),
  CHECK ((per_customer = 'count_per_customer') = (occurrences IS NOT NULL)),
  CHECK ((starts_at IS NULL) = (ends_at IS NULL) AND starts_at <= ends_at),
  CHECK ((status = 'paused') = (paused_because IS NOT NULL)),
  UNIQUE (id, project_id)
);
CREATE INDEX campaigns_of_project ON campaigns (project_id, created_at DESC, id DESC);
CREATE INDEX campaigns_to_archive ON campaigns (ends_at) WHERE status <> 'archived' AND ends_at IS NOT NULL;

CREATE TABLE campaign_events (
  campaign_id int NOT NULL,
  event_id int NOT NULL,
  project_id int NOT NULL,
  PRIMARY KEY (campaign_id, event_id),
  FOREIGN KEY (campaign_id, project_id) REFERENCES campaigns (id, project_id),
  FOREIGN KEY (event_id, project_id) REFERENCES referral_events (id, project_id)
);
CREATE INDEX campaign_events_of_event ON campaign_events (event_id);

-- Everybody who brings customers or was brought: known to a project by the shop's own reference.
CREATE TABLE referrers (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  reference_id text NOT NULL CHECK (reference_id <> ''),
  email text NOT NULL,
  -- Seven characters that nobody takes for others.
  code text NOT NULL UNIQUE CHECK (code ~ '^[A-HJ-NP-Z2-9]{7}$'),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  referred_by int,
  referred_at timestamptz,
  -- The sequence of the last event about this person (api.md 6.4).
  sequence int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (project_id, reference_id),
  UNIQUE (id, project_id),
  FOREIGN KEY (referred_by, project_id) REFERENCES referrers (id, project_id),
  CHECK (referred_by <> id),
  CHECK ((referred_by IS NULL) = (referred_at IS NULL))
);
CREATE INDEX referrers_of_project ON referrers (project_id, created_at DESC, id DESC);
CREATE INDEX referrers_referred_by ON referrers (referred_by, referred_at) WHERE referred_by IS NOT NULL;
CREATE INDEX referrers_email ON referrers (project_id, lower(email) text_pattern_ops);

-- Campaigns that are not for all reach these promoters.
CREATE TABLE campaign_referrers (
  campaign_id int NOT NULL,
  referrer_id int NOT NULL,
  project_id int NOT NULL,
  PRIMARY KEY (campaign_id, referrer_id),
  FOREIGN KEY (campaign_id, project_id) REFERENCES campaigns (id, project_id),
  FOREIGN KEY (referrer_id, project_id) REFERENCES referrers (id, project_id)
);
CREATE INDEX campaign_referrers_of_referrer ON campaign_referrers (referrer_id);

-- What opens a promoter's page.
CREATE TABLE referral_tokens (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  referrer_id int NOT NULL REFERENCES referrers,
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX referral_tokens_expiry ON referral_tokens (expires_at);

-- What one customer did, once.
CREATE TABLE event_logs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  event_id int NOT NULL,
  member_id int NOT NULL,
  -- Millionths; of a payment's event.
  amount numeric(78, 0) CHECK (amount > 0),
  triggered_at timestamptz NOT NULL,
  data jsonb,
  external_id text,
  -- It counts while this payment is filled.
  payment_id bigint REFERENCES payments,
  -- What the payment brought when it was counted, in millionths of a dollar: rewards shrink by what of it is gone.
  basis numeric(78, 0) CHECK (basis > 0),
  status text NOT NULL CHECK (status IN ('pending', 'waiting', 'processed', 'failed')),
  failure_code text,
  failure_params jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  FOREIGN KEY (event_id, project_id) REFERENCES referral_events (id, project_id),
  FOREIGN KEY (member_id, project_id) REFERENCES referrers (id, project_id),
  CHECK ((status = 'failed') = (failure_code IS NOT NULL)),
  CHECK (status <> 'waiting' OR payment_id IS NOT NULL),
  CHECK (payment_id IS NULL OR status <> 'processed' OR basis IS NOT NULL)
);
CREATE UNIQUE INDEX event_logs_external_id ON event_logs (project_id, external_id) WHERE external_id IS NOT NULL;
-- One event of one payment.
CREATE UNIQUE INDEX event_logs_of_payment ON event_logs (payment_id, event_id) WHERE payment_id IS NOT NULL;
CREATE INDEX event_logs_of_project ON event_logs (project_id, id DESC);
CREATE INDEX event_logs_of_member ON event_logs (member_id, id DESC);
-- Sorts of the list.
CREATE INDEX event_logs_created ON event_logs (project_id, created_at DESC, id DESC);
CREATE INDEX event_logs_pending ON event_logs (id) WHERE status = 'pending';
CREATE INDEX event_logs_waiting ON event_logs (payment_id) WHERE status = 'waiting';

-- What each campaign made of a log, once.
CREATE TABLE event_log_uses (
  campaign_id int NOT NULL REFERENCES campaigns,
  log_id bigint NOT NULL REFERENCES event_logs,
  member_id int NOT NULL REFERENCES referrers,
  outcome text NOT NULL CHECK (outcome IN ('rewarded', 'waits', 'refused')),
  -- The log that completed the set this one is part of.
  set_log_id bigint REFERENCES event_logs,
  reason_code text,
  reason_params jsonb,
  at timestamptz NOT NULL,
  PRIMARY KEY (campaign_id, log_id),
  CHECK ((outcome = 'rewarded') = (reason_code IS NULL)),
  CHECK (outcome <> 'rewarded' OR set_log_id IS NOT NULL)
);
CREATE INDEX event_log_uses_of_log ON event_log_uses (log_id);
CREATE INDEX event_log_uses_waiting ON event_log_uses (campaign_id, member_id) WHERE outcome = 'waits';
CREATE INDEX event_log_uses_of_set ON event_log_uses (campaign_id, set_log_id) WHERE set_log_id IS NOT NULL;

-- What is owed to one person for one set of logs.
CREATE TABLE rewards (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  campaign_id int NOT NULL,
  set_log_id bigint NOT NULL REFERENCES event_logs,
  side text NOT NULL CHECK (side IN ('referrer', 'referee')),
  -- Who gets it, and whom it is about.
  referrer_id int NOT NULL,
  related_id int NOT NULL,
  unit_id int NOT NULL REFERENCES units,
  -- As it was earned; what reversals left of it is owed until it is paid.
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  reversed_units numeric(78, 0) NOT NULL DEFAULT 0 CHECK (reversed_units BETWEEN 0 AND units),
  -- Taken by withdrawals under way, and paid by them (reward_settlements).
  held_units numeric(78, 0) NOT NULL DEFAULT 0 CHECK (held_units >= 0),
  paid_units numeric(78, 0) NOT NULL DEFAULT 0 CHECK (paid_units >= 0),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'held', 'processed', 'reversed')),
  reason_code text,
  -- Accruals, reversals and returns so far: the last part of the sources of their entries.
  revision int NOT NULL DEFAULT 1,
  -- When the set was complete.
  triggered_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT settled_within_reward CHECK (held_units + paid_units <= units),
  CHECK ((status = 'held') = (held_units > 0)),
  FOREIGN KEY (campaign_id, project_id) REFERENCES campaigns (id, project_id),
  FOREIGN KEY (referrer_id, project_id) REFERENCES referrers (id, project_id),
  FOREIGN KEY (related_id, project_id) REFERENCES referrers (id, project_id),
  UNIQUE (campaign_id, set_log_id, side)
);
CREATE INDEX rewards_of_referrer ON rewards (referrer_id, created_at DESC, id DESC);
CREATE INDEX rewards_of_campaign ON rewards (campaign_id, created_at DESC, id DESC);
CREATE INDEX rewards_of_person ON rewards (campaign_id, side, referrer_id);
CREATE INDEX rewards_of_project ON rewards (project_id, created_at DESC, id DESC);
-- Withdrawals take the oldest first.
CREATE INDEX rewards_open ON rewards (referrer_id, unit_id, id) WHERE status IN ('pending', 'held');

-- Which withdrawal takes how much of which reward.
CREATE TABLE reward_settlements (
  reward_id bigint NOT NULL REFERENCES rewards,
  withdrawal_id bigint NOT NULL REFERENCES withdrawals,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  status text NOT NULL CHECK (status IN ('held', 'paid', 'released')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (withdrawal_id, reward_id)
);
CREATE INDEX reward_settlements_of_reward ON reward_settlements (reward_id);
