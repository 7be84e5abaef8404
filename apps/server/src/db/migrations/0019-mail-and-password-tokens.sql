-- The mail server of the install (api.md C12–C15), and the links with which people choose a password (api.md 2.4).

CREATE TABLE mail_server (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  host text NOT NULL,
  port int NOT NULL CHECK (port BETWEEN 1 AND 65535),
  username text,
  password_ref int REFERENCES secrets,
  encryption text NOT NULL CHECK (encryption IN ('none', 'starttls', 'tls')),
  sender text NOT NULL,
  sender_name text,
  reply_to text,
  verified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE password_tokens (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id int NOT NULL REFERENCES operators,
  purpose text NOT NULL CHECK (purpose IN ('reset', 'invite', 'temporary')),
  token_hash bytea NOT NULL UNIQUE,
  -- Who issued it to somebody else; null when its operator asked for it.
  issued_by int REFERENCES operators,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- A newer one ends the one before: of two made at once, one wins here.
CREATE UNIQUE INDEX password_tokens_one_live ON password_tokens (operator_id) WHERE ended_at IS NULL;
