-- Settings, secrets and people.

CREATE TABLE install (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  network text NOT NULL CHECK (network IN ('sandbox', 'testnet', 'mainnet')),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- An envelope (money.md 5.3): the data key is wrapped by the master key, the value is sealed by the data key.
CREATE TABLE secrets (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  label text NOT NULL,
  wrapped_key bytea NOT NULL,
  sealed bytea NOT NULL,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  rotated_at timestamptz
);
-- Two processes that make the address-proof key at once: one wins here.
CREATE UNIQUE INDEX secrets_address_proof_once ON secrets (kind) WHERE kind = 'address_proof';

-- Settings that were set; what is secret lies in an envelope.
CREATE TABLE configuration (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL UNIQUE,
  value text,
  secret_id int REFERENCES secrets,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((value IS NULL) <> (secret_id IS NULL))
);

CREATE TABLE operators (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL DEFAULT '',
  username text,
  customer_id text NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('invited', 'active', 'inactive')),
  password_hash text,
  reset_password_required boolean NOT NULL DEFAULT false,
  last_seen_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX operators_email_once ON operators (lower(email)) WHERE deleted_at IS NULL;
-- The first account is called root: of two sign-ups at once, one wins here.
CREATE UNIQUE INDEX operators_customer_id_once ON operators (customer_id);

-- What a caller from afar must know to create the first account; gone once that account exists.
CREATE TABLE setup_codes (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  code_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE sessions (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id int NOT NULL REFERENCES operators,
  key_hash bytea NOT NULL UNIQUE,
  access_hash bytea UNIQUE,
  access_expires_at timestamptz,
  refresh_hash bytea UNIQUE,
  refresh_expires_at timestamptz,
  restricted boolean NOT NULL DEFAULT false,
  ip_address text,
  user_agent text,
  step_up_until timestamptz,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  idle_expires_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_of_operator ON sessions (operator_id) WHERE ended_at IS NULL;

-- An action described to a person, to be confirmed in the session that asked (api.md 2.7).
CREATE TABLE step_up_challenges (
  id uuid PRIMARY KEY,
  session_id int NOT NULL REFERENCES sessions ON DELETE CASCADE,
  action text NOT NULL,
  digest bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX step_up_challenges_of_session ON step_up_challenges (session_id);

-- Failed sign-ins and codes per account (api.md 1.7 auth-account), and the buckets shared by all processes.
CREATE TABLE sign_in_failures (
  subject text PRIMARY KEY,
  failures int NOT NULL,
  wait_until timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE rate_buckets (
  bucket text PRIMARY KEY,
  tokens double precision NOT NULL,
  filled_at timestamptz NOT NULL
);

CREATE TABLE idempotency_keys (
  caller text NOT NULL,
  key text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('key', 'dedupe')),
  request_hash bytea NOT NULL,
  status int,
  body jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (caller, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
