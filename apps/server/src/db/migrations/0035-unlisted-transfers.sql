-- Notices of tokens that Kassa does not list: what a strange contract says it moved to an address of ours. Nothing of it is
-- money: no posting, no payment and no total reads this table.
CREATE TABLE unlisted_transfers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blockchain_id int NOT NULL REFERENCES blockchains,
  tx_id text NOT NULL,
  leg text NOT NULL,
  contract text NOT NULL,
  address_id bigint NOT NULL REFERENCES addresses,
  customer_id int NOT NULL REFERENCES customers,
  project_id int NOT NULL REFERENCES projects,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  -- What the contract calls itself, cut and not believed; null as long as nobody has asked it, or where it says nothing.
  symbol text CHECK (length(symbol) <= 64),
  decimals int CHECK (decimals BETWEEN 0 AND 36),
  asked_at timestamptz,
  height bigint NOT NULL,
  mined_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  UNIQUE (blockchain_id, tx_id, leg)
);
CREATE INDEX unlisted_transfers_of_customer ON unlisted_transfers (customer_id, mined_at);
CREATE INDEX unlisted_transfers_of_project ON unlisted_transfers (project_id, id);
-- How many of a day an address has already.
CREATE INDEX unlisted_transfers_of_address ON unlisted_transfers (address_id, seen_at);
CREATE INDEX unlisted_transfers_height ON unlisted_transfers (blockchain_id, height);
CREATE INDEX unlisted_transfers_unasked ON unlisted_transfers (blockchain_id, contract) WHERE asked_at IS NULL;
