-- Proof of presence for one described action (api.md 2.7), given out by A27 and deleted by the call that uses it.

CREATE TABLE step_up_tokens (
  token_hash bytea PRIMARY KEY,
  session_id int NOT NULL REFERENCES sessions ON DELETE CASCADE,
  action text NOT NULL,
  digest bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX step_up_tokens_of_session ON step_up_tokens (session_id);

-- Whether confirming the action gives a token: what was described by the server, not by the caller.
ALTER TABLE step_up_challenges ADD COLUMN binds boolean NOT NULL DEFAULT false;
