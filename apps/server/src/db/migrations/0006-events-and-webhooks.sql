-- The outbox: what happened, written with the change that caused it, and what is told to whom (api.md 6).

CREATE TABLE events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL UNIQUE,
  type text NOT NULL,
  project_id int REFERENCES projects,
  order_key text,
  sequence int,
  reference_id uuid,
  actor text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX events_of_reference ON events (reference_id, id) WHERE reference_id IS NOT NULL;
CREATE INDEX events_of_project ON events (project_id, id);

CREATE TABLE webhooks (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id int NOT NULL REFERENCES projects,
  name text NOT NULL DEFAULT '',
  description text NOT NULL DEFAULT '',
  url text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'deleted')),
  -- Null: the default events of api.md 6.1.
  events text[],
  secret_ref int NOT NULL REFERENCES secrets,
  secret_hint text NOT NULL,
  access_key_ref int NOT NULL REFERENCES secrets,
  access_key_hint text NOT NULL,
  legacy_headers boolean NOT NULL DEFAULT true,
  is_default boolean NOT NULL DEFAULT false,
  tested boolean NOT NULL DEFAULT false,
  failing_since timestamptz,
  last_delivery_at timestamptz,
  last_response_code int,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX webhooks_url_once ON webhooks (project_id, url) WHERE status <> 'deleted';

CREATE TABLE deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id int NOT NULL REFERENCES webhooks,
  project_id int NOT NULL REFERENCES projects,
  -- = `webhook-id`, the same on every retry and endpoint.
  event_id text NOT NULL,
  event_type text NOT NULL,
  order_key text,
  sequence int,
  reference_id uuid,
  body text NOT NULL,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'received', 'failed', 'discarded', 'waiting_for_approval')),
  attempt_count int NOT NULL DEFAULT 0,
  next_retry_at timestamptz,
  last_response_code int,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  UNIQUE (webhook_id, event_id)
);
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, next_retry_at) WHERE status = 'pending';
CREATE INDEX deliveries_of_order ON deliveries (webhook_id, order_key, sequence);
CREATE INDEX deliveries_of_reference ON deliveries (reference_id) WHERE reference_id IS NOT NULL;
CREATE INDEX deliveries_of_project ON deliveries (project_id, id DESC);

CREATE TABLE delivery_attempts (
  delivery_id bigint NOT NULL REFERENCES deliveries,
  n int NOT NULL,
  at timestamptz NOT NULL,
  code int,
  ms int NOT NULL,
  error text,
  response_excerpt text,
  PRIMARY KEY (delivery_id, n)
);

CREATE TABLE websocket_tokens (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  session_id int NOT NULL REFERENCES sessions,
  client_id text NOT NULL,
  origin text,
  used_at timestamptz,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
