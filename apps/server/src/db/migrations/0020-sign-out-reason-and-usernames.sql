-- Why a session ended, where its operator is told (api.md 2.4), and usernames that nobody shares (api.md A15).

ALTER TABLE sessions ADD COLUMN ended_by text CHECK (ended_by = 'password');
ALTER TABLE sessions ADD CONSTRAINT sessions_ended_by_when CHECK (ended_by IS NULL OR ended_at IS NOT NULL);

CREATE UNIQUE INDEX operators_username_once ON operators (lower(username)) WHERE deleted_at IS NULL;
