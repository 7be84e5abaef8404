-- From which networks an operator signed in: failures that others cause elsewhere keep nobody out there (api.md 1.7).

ALTER TABLE sessions ADD COLUMN network text;
CREATE INDEX sessions_by_network ON sessions (operator_id, network);
