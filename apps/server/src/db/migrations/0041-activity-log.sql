-- The activity log (api.md T, decision 0032): one row for each call that changed something, in the transaction of the change;
-- refused calls are counted per minute and caller.

-- An entry takes the number of its transaction before its own, so that whoever waits for the transactions that were open at a
-- moment knows every smaller id.
CREATE SEQUENCE audit_entries_id_seq;
CREATE TABLE audit_entries (
  id bigint PRIMARY KEY DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('audit_entries_id_seq') END,
  at timestamptz(3) NOT NULL,
  category text NOT NULL,
  event text NOT NULL,
  action text NOT NULL CHECK (action IN ('READ', 'WRITE', 'LOGIN', 'SYSTEM')),
  method text NOT NULL,
  path text NOT NULL,
  status text NOT NULL CHECK (status IN ('SUCCESS', 'FAILURE', 'DENIED')),
  status_code smallint NOT NULL,
  error_code text,
  count int NOT NULL DEFAULT 1 CHECK (count > 0),
  operator_id int,
  operator_email text,
  -- The caller's role then.
  role text,
  key_id int,
  session_id int,
  project_id int,
  ip text NOT NULL,
  user_agent text NOT NULL,
  referer text NOT NULL,
  request_id text NOT NULL,
  -- JSON text: what changed, without secrets. As text, because the hash covers it byte by byte.
  changes text,
  CHECK (operator_id IS NULL OR key_id IS NULL)
);
ALTER SEQUENCE audit_entries_id_seq OWNED BY audit_entries.id;

-- The newest of each are one index read away (api.md 1.5).
CREATE INDEX audit_entries_at ON audit_entries (at);
CREATE INDEX audit_entries_of_category ON audit_entries (category, id);
CREATE INDEX audit_entries_of_event ON audit_entries (event, id);
CREATE INDEX audit_entries_from ON audit_entries (ip, id);
CREATE INDEX audit_entries_of_operator ON audit_entries (operator_id, id) WHERE operator_id IS NOT NULL;
CREATE INDEX audit_entries_by_email ON audit_entries (operator_email text_pattern_ops, id) WHERE operator_email IS NOT NULL;
CREATE INDEX audit_entries_of_role ON audit_entries (role, id) WHERE role IS NOT NULL;
CREATE INDEX audit_entries_of_key ON audit_entries (key_id, id) WHERE key_id IS NOT NULL;
CREATE INDEX audit_entries_of_project ON audit_entries (project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX audit_entries_refused ON audit_entries (status, id) WHERE status <> 'SUCCESS';
CREATE INDEX audit_entries_not_writes ON audit_entries (action, id) WHERE action <> 'WRITE';
-- A path that merchants call with their keys says nothing.
CREATE INDEX audit_entries_on_path ON audit_entries (path, id) WHERE key_id IS NULL;

-- Which values go together: a search for two that never do must not read the table.
CREATE STATISTICS audit_entries_together (mcv, dependencies)
  ON category, event, action, status, operator_id, key_id, project_id FROM audit_entries;

CREATE TRIGGER audit_entries_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The chain of hashes over the entries, one seal each in the order of their ids. A job writes it some seconds later: no writer
-- waits for another because of it.
CREATE TABLE audit_seals (
  entry_id bigint PRIMARY KEY,
  hash bytea NOT NULL CHECK (length(hash) = 32)
);
CREATE TRIGGER audit_seals_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What the hourly verification found: up to which entry, with which hash, and when everything was last verified.
CREATE TABLE audit_checks (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  ok boolean NOT NULL,
  through_entry bigint NOT NULL,
  hash bytea,
  full_at timestamptz
);
