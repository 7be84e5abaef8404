-- Refresh tokens that are taken (api.md A7): what a session's last answer was made of, so that a repeat gets the same one.

ALTER TABLE sessions ADD COLUMN refreshed_at timestamptz;
ALTER TABLE sessions ADD COLUMN refresh_salt bytea;
ALTER TABLE sessions ADD CONSTRAINT sessions_refreshed CHECK ((refreshed_at IS NULL) = (refresh_salt IS NULL));

-- Whoever uses one of these late has a copy of it: the session ends.
CREATE TABLE superseded_refresh_tokens (
  token_hash bytea PRIMARY KEY,
  session_id int NOT NULL REFERENCES sessions ON DELETE CASCADE,
  superseded_at timestamptz NOT NULL
);
CREATE INDEX superseded_refresh_tokens_of_session ON superseded_refresh_tokens (session_id);
