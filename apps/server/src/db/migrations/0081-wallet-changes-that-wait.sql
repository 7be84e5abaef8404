-- Another wallet in place of the one that a project gives its customers addresses from takes effect after a delay (api.md W14): until
-- then the change stands here, and whoever links wallets can withdraw it. A row ends when it takes effect or is withdrawn.
CREATE TABLE pending_wallet_links (
  project_id int NOT NULL REFERENCES projects,
  family_id int NOT NULL,
  wallet_id int NOT NULL REFERENCES wallets,
  requested_by int REFERENCES operators,
  requested_at timestamptz NOT NULL,
  effective_at timestamptz NOT NULL CHECK (effective_at > requested_at),
  PRIMARY KEY (project_id, family_id)
);
CREATE INDEX pending_wallet_links_effective ON pending_wallet_links (effective_at);

-- The wallet that a project gave addresses from when it was unlinked: whichever is linked next replaces it, however much later.
CREATE TABLE unlinked_wallets (
  project_id int NOT NULL REFERENCES projects,
  family_id int NOT NULL,
  wallet_id int NOT NULL REFERENCES wallets,
  unlinked_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, family_id)
);
