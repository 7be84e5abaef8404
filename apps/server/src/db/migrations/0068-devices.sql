-- Signing devices (api.md C8; decision 0051): phones and programs that hold the keys of a wallet and may fetch and sign its batches.
CREATE TABLE devices (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  -- Of the device itself (Ed25519): a device that is paired again is the same one.
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
  -- SHA-256 of its credential.
  key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
  -- Whose code it used.
  paired_by int NOT NULL REFERENCES operators,
  paired_at timestamptz NOT NULL,
  last_used_at timestamptz,
  unpaired_at timestamptz
);
CREATE UNIQUE INDEX devices_key ON devices (key_hash);
CREATE UNIQUE INDEX devices_public_key ON devices (public_key) WHERE unpaired_at IS NULL;

-- Codes that pair one device each. The code itself follows from the row by a key that never enters the database.
CREATE TABLE device_pairings (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id int NOT NULL REFERENCES operators,
  nonce bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 0,
  used_at timestamptz
);
CREATE UNIQUE INDEX device_pairings_open ON device_pairings (operator_id) WHERE used_at IS NULL;
