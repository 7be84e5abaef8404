-- Who is paid, and when money may leave (api.md D12–D19, money.md 7.2).

CREATE TABLE recipients (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  email text NOT NULL,
  mobile_number text,
  residential_address text,
  blockchain_id int NOT NULL REFERENCES blockchains,
  -- Neither ever changes: what was verified is what is paid.
  address text NOT NULL,
  address_key bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('pending-otp-verification', 'active', 'blocked', 'deleted')),
  -- operator:7 or key:3, as everywhere.
  created_by text NOT NULL,
  verified_by text,
  verified_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK (status <> 'active' OR verified_at IS NOT NULL),
  CHECK ((verified_at IS NULL) = (verified_by IS NULL)),
  UNIQUE (id, blockchain_id, address_key)
);

-- In which projects a recipient can be paid; those of a deleted one go with it, so that the address is free again. The
-- address stands here as well: a project has one entry per network and address.
CREATE TABLE recipient_projects (
  recipient_id int NOT NULL,
  project_id int NOT NULL REFERENCES projects,
  blockchain_id int NOT NULL,
  address_key bytea NOT NULL,
  -- Since when the project knows the verified address; the delay of its policy counts from here.
  known_since timestamptz,
  PRIMARY KEY (recipient_id, project_id),
  FOREIGN KEY (recipient_id, blockchain_id, address_key) REFERENCES recipients (id, blockchain_id, address_key),
  UNIQUE (project_id, blockchain_id, address_key)
);

-- Codes that verify a recipient. A row is made when one is asked for; the code is made with its mail, and stored as a keyed
-- hash over recipient and address. One works per recipient.
CREATE TABLE recipient_codes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recipient_id int NOT NULL REFERENCES recipients,
  -- To whom it is mailed.
  operator_id int NOT NULL REFERENCES operators,
  code_hash bytea,
  tries int NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Used, replaced by a newer one, or tried too often.
  ended_at timestamptz
);
CREATE UNIQUE INDEX recipient_codes_one_works ON recipient_codes (recipient_id) WHERE ended_at IS NULL;
CREATE INDEX recipient_codes_of_recipient ON recipient_codes (recipient_id, created_at);
CREATE INDEX recipient_codes_of_operator ON recipient_codes (operator_id, created_at);

-- One row per project, made the first time that it is locked or changed; without one, the defaults hold.
CREATE TABLE payout_policies (
  project_id int PRIMARY KEY REFERENCES projects,
  -- Part of what people approve (X-2): each change gives the next one.
  version int NOT NULL DEFAULT 1 CHECK (version > 0),
  auto_approve_limit_usd numeric(18, 6) NOT NULL DEFAULT 0 CHECK (auto_approve_limit_usd >= 0),
  hourly_limit_usd numeric(18, 6) NOT NULL DEFAULT 5000 CHECK (hourly_limit_usd >= 0),
  daily_limit_usd numeric(18, 6) NOT NULL DEFAULT 10000 CHECK (daily_limit_usd >= 0),
  quorum int NOT NULL DEFAULT 1 CHECK (quorum BETWEEN 1 AND 5),
  -- [{aboveUSD, approvals}], ascending.
  quorum_rules jsonb NOT NULL DEFAULT '[]',
  four_eyes text NOT NULL DEFAULT 'auto' CHECK (four_eyes IN ('always', 'auto', 'off')),
  allow_list text[] NOT NULL DEFAULT '{}',
  recipient_delay_hours int NOT NULL DEFAULT 0 CHECK (recipient_delay_hours BETWEEN 0 AND 720),
  paused boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL,
  updated_by text
);
