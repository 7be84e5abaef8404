-- Projects, who works in them, what calls for them and who pays them.

CREATE TABLE projects (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  logo_path text NOT NULL DEFAULT '',
  brand_color text NOT NULL DEFAULT '#caff54',
  website text NOT NULL DEFAULT '',
  success_endpoint text NOT NULL DEFAULT '',
  cancel_endpoint text NOT NULL DEFAULT '',
  frontend_endpoint text NOT NULL DEFAULT '',
  webhook_endpoint text NOT NULL DEFAULT '',
  twitter_url text NOT NULL DEFAULT '',
  discord_url text NOT NULL DEFAULT '',
  linkedin_url text NOT NULL DEFAULT '',
  telegram_url text NOT NULL DEFAULT '',
  support_email text NOT NULL DEFAULT '',
  email_send_request_from text NOT NULL DEFAULT '',
  email_send_request_reply_to text NOT NULL DEFAULT '',
  default_blockchain_id int,
  default_asset_id int,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE uploads (
  name text PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- One role per operator and project, or one for the whole install (project_id null).
CREATE TABLE operator_roles (
  operator_id int NOT NULL REFERENCES operators,
  project_id int REFERENCES projects,
  role_id int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (operator_id, project_id)
);

CREATE TABLE api_keys (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  created_by int NOT NULL REFERENCES operators,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  key_hash bytea NOT NULL UNIQUE,
  key_prefix text NOT NULL,
  last4 text NOT NULL,
  scopes text[] NOT NULL,
  allowed_ips text[] NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'revoked')),
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_ip text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX api_keys_of_project ON api_keys (project_id);

CREATE TABLE customers (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  customer_id text NOT NULL,
  email text NOT NULL DEFAULT '',
  name text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'blocked')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (project_id, customer_id)
);
CREATE INDEX customers_email ON customers (project_id, lower(email) text_pattern_ops);
