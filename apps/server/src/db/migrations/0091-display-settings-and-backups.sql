-- How the dashboard looks to an operator, on every device they sign in on; null: nothing was chosen, and each device shows its own.
-- The time zone is one of the IANA database, or `system`: that of the device.
ALTER TABLE operators
  ADD COLUMN theme text CHECK (theme IN ('system', 'light', 'dark')),
  ADD COLUMN time_zone text CHECK (time_zone <> '' AND length(time_zone) <= 64),
  ADD COLUMN density text CHECK (density IN ('comfortable', 'compact')),
  ADD COLUMN single_keys boolean,
  ADD COLUMN setup_guide boolean;

-- Backups that were taken of this install and read back, and those that it was restored from. No row says where a file is.
CREATE TABLE backups (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('taken', 'restored')),
  -- The moment that the file holds.
  taken_at timestamptz NOT NULL,
  -- When the file had been read back, or its rows were restored.
  recorded_at timestamptz NOT NULL,
  rows bigint NOT NULL CHECK (rows >= 0),
  bytes bigint NOT NULL CHECK (bytes > 0),
  has_master_key boolean NOT NULL,
  -- The version of Kassa that took it.
  version text NOT NULL
);
CREATE INDEX backups_by_moment ON backups (taken_at);
