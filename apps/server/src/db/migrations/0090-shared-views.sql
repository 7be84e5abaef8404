-- Views of lists that are shared in a project: what a list is narrowed to, how it is sorted and how its table looks.
CREATE TABLE shared_views (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  screen text NOT NULL CHECK (screen IN ('payments')),
  name text NOT NULL CHECK (name <> ''),
  search jsonb NOT NULL,
  layout jsonb NOT NULL,
  shared_by int NOT NULL REFERENCES operators,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX shared_views_name_once ON shared_views (project_id, screen, lower(name));
