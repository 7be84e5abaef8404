-- An address has one live permission of a kind for each sweep contract: what it allowed an older contract must not keep it from
-- allowing the one in use.
DROP INDEX sweep_permissions_live;
CREATE UNIQUE INDEX sweep_permissions_live ON sweep_permissions (address_id, blockchain_id, coalesce(asset_id, 0), kind, vault)
  WHERE state <> 'stale' AND kind <> 'transfer_tx';
