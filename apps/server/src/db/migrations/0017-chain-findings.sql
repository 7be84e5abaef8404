-- Addresses that hold something else than the books say (money.md 4.6).

-- Up to where every address was compared last, and on which day.
CREATE TABLE chain_compares (
  blockchain_id int PRIMARY KEY REFERENCES blockchains,
  day date NOT NULL,
  height bigint NOT NULL
);

CREATE TABLE chain_findings (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  asset_id int NOT NULL REFERENCES assets,
  address_id bigint NOT NULL REFERENCES addresses,
  -- What the chain holds more than the books say; negative when it holds less.
  units numeric(78, 0) NOT NULL CHECK (units <> 0),
  -- The block of the newest comparison.
  height bigint NOT NULL,
  -- Blocks are read again before a person is asked; null until then.
  rescan_id int REFERENCES rescans,
  -- `closed`: a later comparison agreed. `booked`: a person booked it as money that came without a transaction.
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'booked')),
  note text,
  found_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((state = 'open') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX chain_findings_open_once ON chain_findings (blockchain_id, asset_id, address_id) WHERE state = 'open';
CREATE INDEX chain_findings_booked ON chain_findings (asset_id) WHERE state = 'booked';
