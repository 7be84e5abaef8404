-- Something that an operator has done to many rows in the background (api.md J). A row commits together with its effect,
-- so a process that dies in the middle leaves rows that are done and rows that wait, and none in between.

CREATE TABLE bulk_jobs (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  action text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'cancelled', 'failed')),
  -- Which of a project's places for jobs under way it takes: the index below lets no two have the same.
  place int NOT NULL CHECK (place BETWEEN 1 AND 3),
  operator_id int NOT NULL REFERENCES operators,
  total int NOT NULL CHECK (total > 0),
  done int NOT NULL DEFAULT 0 CHECK (done >= 0),
  refused int NOT NULL DEFAULT 0 CHECK (refused >= 0),
  -- More matched than a job takes.
  truncated boolean NOT NULL,
  -- Why it could not go on: code, values, fields, details.
  failure jsonb,
  created_at timestamptz NOT NULL,
  -- When somebody last worked on it: one that nobody has worked on for a while is taken up again.
  worked_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK (done + refused <= total),
  CHECK (status <> 'done' OR done + refused = total),
  CHECK ((status = 'failed') = (failure IS NOT NULL)),
  CHECK ((status IN ('queued', 'running')) = (ended_at IS NULL)),
  UNIQUE (id, project_id, action)
);
CREATE UNIQUE INDEX bulk_jobs_one_per_place ON bulk_jobs (project_id, place) WHERE ended_at IS NULL;
CREATE INDEX bulk_jobs_of_project ON bulk_jobs (project_id, id DESC);
CREATE INDEX bulk_jobs_ended ON bulk_jobs (ended_at);

CREATE TABLE bulk_job_rows (
  job_id int NOT NULL,
  project_id int NOT NULL,
  action text NOT NULL,
  line int NOT NULL CHECK (line > 0),
  key text,
  -- As it was asked for; decoded when it is run.
  input jsonb NOT NULL,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'running', 'done', 'refused')),
  result jsonb,
  -- The result is that of an earlier job's row of this key.
  repeated boolean NOT NULL DEFAULT false,
  error jsonb,
  -- Times it failed for a reason that is not its own.
  faults int NOT NULL DEFAULT 0,
  PRIMARY KEY (job_id, line),
  FOREIGN KEY (job_id, project_id, action) REFERENCES bulk_jobs (id, project_id, action) ON DELETE CASCADE,
  UNIQUE (job_id, key),
  CHECK ((status = 'done') = (result IS NOT NULL)),
  CHECK ((status = 'refused') = (error IS NOT NULL)),
  CHECK (status = 'done' OR NOT repeated)
);
CREATE INDEX bulk_job_rows_waiting ON bulk_job_rows (job_id, line) WHERE status = 'waiting';
-- A key is done once per project and action, in whatever job.
CREATE UNIQUE INDEX bulk_job_rows_once ON bulk_job_rows (project_id, action, key) WHERE status = 'done' AND NOT repeated;
