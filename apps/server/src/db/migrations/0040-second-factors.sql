-- Second factors (api.md 2.6, decision 0034): authenticator apps, passkeys and backup codes, and the questions to them.

-- What of them an operator has, derived from the tables below in the transaction of each change: every request reads it.
ALTER TABLE operators ADD COLUMN second_factors text[] NOT NULL DEFAULT '{}'
  CHECK (second_factors <@ ARRAY['totp', 'passkey', 'backup']);

-- With what a session was opened or its operator proved presence.
ALTER TABLE sessions ADD COLUMN factors text[] NOT NULL DEFAULT '{password}'
  CHECK (factors <@ ARRAY['password', 'totp', 'passkey', 'backup']);

CREATE TABLE authenticators (
  operator_id int PRIMARY KEY REFERENCES operators,
  -- The shared secret lies in an envelope.
  secret_id int NOT NULL REFERENCES secrets,
  -- Null until a code confirmed it, which must happen before expires_at.
  confirmed_at timestamptz,
  expires_at timestamptz NOT NULL,
  -- The newest step a code was taken of: none of it or of an older one is taken again.
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE passkeys (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id int NOT NULL REFERENCES operators,
  name text NOT NULL,
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- The host name it was made for; it works under no other.
  rp_id text NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL DEFAULT '{}',
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX passkeys_of_operator ON passkeys (operator_id);

CREATE TABLE backup_codes (
  operator_id int NOT NULL REFERENCES operators,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (operator_id, code_hash)
);

-- Questions that wait for an answer, each answered once.
CREATE TABLE factor_challenges (
  id uuid PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('sign_in', 'passkey', 'enrolment')),
  -- Of a sign-in: whose password was right, which one it was, and where; its token is stored as a hash.
  operator_id int REFERENCES operators,
  password_digest bytea,
  token_hash bytea UNIQUE,
  network text,
  user_agent text,
  tries int NOT NULL DEFAULT 0,
  -- Of an enrolment.
  session_id int REFERENCES sessions ON DELETE CASCADE,
  -- What a passkey signs.
  value bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((purpose = 'sign_in') = (operator_id IS NOT NULL AND token_hash IS NOT NULL AND password_digest IS NOT NULL)),
  CHECK ((purpose = 'enrolment') = (session_id IS NOT NULL))
);
CREATE INDEX factor_challenges_by_end ON factor_challenges (expires_at);
