-- Transfers to addresses of customers that a node knows and no block holds yet (money.md 2.13). They tell people that money is
-- on its way; nothing is credited by one, and no posting refers to one.
CREATE TABLE mempool_sightings (
  blockchain_id int NOT NULL REFERENCES blockchains,
  tx_id text NOT NULL,
  leg text NOT NULL,
  address_id bigint NOT NULL REFERENCES addresses,
  asset_id int NOT NULL REFERENCES assets,
  -- The payment it would pay; null where it would pay none.
  payment_id bigint REFERENCES payments,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  first_seen_at timestamptz NOT NULL,
  -- A block holds it: its deposit speaks from then on.
  mined_at timestamptz,
  -- No node has it any more, and no block does.
  gone_at timestamptz,
  -- The transaction that spends the same coins, where it was seen.
  replaced_by text,
  PRIMARY KEY (blockchain_id, tx_id, leg),
  CHECK (mined_at IS NULL OR gone_at IS NULL)
);
CREATE INDEX mempool_sightings_waiting ON mempool_sightings (blockchain_id) WHERE mined_at IS NULL AND gone_at IS NULL;
CREATE INDEX mempool_sightings_of_payment ON mempool_sightings (payment_id) WHERE payment_id IS NOT NULL;
