-- Coins that lie in outputs (Bitcoin) are moved by transactions that are signed outside of the server (money.md 6.11; decision 0051).

-- Such coins pay for their own way: what of them the network kept.
ALTER TABLE movements ADD COLUMN fee_units numeric(78, 0) NOT NULL DEFAULT 0;
ALTER TABLE movements ADD CONSTRAINT movements_fee CHECK (fee_units >= 0 AND fee_units <= units) NOT VALID;
ALTER TABLE movements VALIDATE CONSTRAINT movements_fee;

-- `psbt`: the keys of the addresses themselves sign, on a device that this server does not know the secrets of.
ALTER TABLE sweeps DROP CONSTRAINT sweeps_method_check;
ALTER TABLE sweeps ADD CONSTRAINT sweeps_method_check CHECK (method IN ('sweep', 'pull', 'delegated', 'psbt')) NOT VALID;
ALTER TABLE sweeps VALIDATE CONSTRAINT sweeps_method_check;
ALTER TABLE sweeps DROP CONSTRAINT sweeps_sent_by_check;
ALTER TABLE sweeps ADD CONSTRAINT sweeps_sent_by_check
  CHECK (sent_by IN ('hot-wallet', 'own-wallet', 'stranger', 'device')) NOT VALID;
ALTER TABLE sweeps VALIDATE CONSTRAINT sweeps_sent_by_check;
ALTER TABLE sweeps ADD CONSTRAINT sweeps_signed_by_a_device CHECK (sent_by <> 'device' OR method = 'psbt') NOT VALID;
ALTER TABLE sweeps VALIDATE CONSTRAINT sweeps_signed_by_a_device;

-- The outputs that a sweep spends. They belong to it until it is given up: no other one plans with them.
CREATE TABLE sweep_inputs (
  sweep_id bigint NOT NULL REFERENCES sweeps,
  blockchain_id int NOT NULL REFERENCES blockchains,
  tx_id text NOT NULL,
  vout int NOT NULL CHECK (vout >= 0),
  address_id bigint NOT NULL REFERENCES addresses,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  released_at timestamptz,
  PRIMARY KEY (sweep_id, tx_id, vout)
);
CREATE UNIQUE INDEX sweep_inputs_reserved ON sweep_inputs (blockchain_id, tx_id, vout) WHERE released_at IS NULL;
CREATE INDEX sweep_inputs_of_address ON sweep_inputs (address_id);

-- The transactions of a sweep, of which at most one can be mined: all of them spend the same outputs. Each later one pays a
-- higher fee.
CREATE TABLE sweep_psbts (
  sweep_id bigint NOT NULL REFERENCES sweeps,
  n int NOT NULL CHECK (n > 0),
  blockchain_id int NOT NULL REFERENCES blockchains,
  -- Known before it is signed: signatures are not part of it.
  tx_id text NOT NULL,
  psbt bytea NOT NULL,
  fee_units numeric(78, 0) NOT NULL CHECK (fee_units > 0),
  created_at timestamptz NOT NULL,
  -- The signed bytes, stored before they are first sent.
  raw bytea,
  signed_at timestamptz,
  signed_by text,
  PRIMARY KEY (sweep_id, n),
  CONSTRAINT sweep_psbts_signed CHECK ((raw IS NULL) = (signed_at IS NULL) AND (raw IS NULL) = (signed_by IS NULL))
);
CREATE UNIQUE INDEX sweep_psbts_transaction ON sweep_psbts (blockchain_id, tx_id);
