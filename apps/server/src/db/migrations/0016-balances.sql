-- Native money that no trace shows: found by what balances rose between two final blocks (money.md 2.4, decision 0011).

ALTER TABLE chain_cursors
  -- The highest block taken in of which no node could show what contracts forwarded; −1 when there was none.
  ADD COLUMN untraced_to bigint NOT NULL DEFAULT -1;

-- What an address held at a block that was canonical when it was asked: the oldest row is what later ones are compared with.
CREATE TABLE balance_looks (
  blockchain_id int NOT NULL REFERENCES blockchains,
  address_id bigint NOT NULL REFERENCES addresses,
  height bigint NOT NULL,
  hash text NOT NULL,
  parent_hash text NOT NULL,
  mined_at timestamptz NOT NULL,
  units numeric(78, 0) NOT NULL CHECK (units >= 0),
  looked_at timestamptz NOT NULL,
  PRIMARY KEY (blockchain_id, address_id, height)
);
CREATE INDEX balance_looks_by_height ON balance_looks (blockchain_id, height);

-- Deposits by balance: what came above `from_height`, up to the deposit's own block, is in them.
CREATE TABLE balance_finds (
  deposit_id bigint PRIMARY KEY REFERENCES deposits,
  from_height bigint NOT NULL
);

-- Who may be paying in a coin: its newest quotes.
CREATE INDEX quotes_of_asset ON quotes (asset_id, quoted_at);
