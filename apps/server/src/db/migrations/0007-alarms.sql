-- What needs a person; one open alarm per kind and subject.

CREATE TABLE alarms (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  raised_at timestamptz NOT NULL,
  cleared_at timestamptz
);
CREATE UNIQUE INDEX alarms_open_once ON alarms (kind, subject) WHERE cleared_at IS NULL;
