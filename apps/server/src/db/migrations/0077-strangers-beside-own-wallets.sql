-- A transaction that was recorded for a sweep before anybody saw it may be a stranger's: theirs is recorded beside it.
DROP INDEX sweeps_transaction;
CREATE UNIQUE INDEX sweeps_transaction ON sweeps (blockchain_id, tx_id, asset_id, wallet_id, (sent_by = 'stranger'))
  WHERE tx_id IS NOT NULL AND sent_by <> 'hot-wallet';
