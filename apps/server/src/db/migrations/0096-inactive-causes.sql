-- Why a blockchain is inactive is a code with parameters; screens and the contract have its sentences.
ALTER TABLE blockchains ALTER COLUMN reason TYPE jsonb USING CASE
  WHEN reason IS NULL THEN NULL
  WHEN reason = 'Switch it on: its local chain starts with it.'
    -- Sentences of versions that had fewer local chains.
    OR reason IN ('The sandbox has no local chain of it.', 'The sandbox runs local chains for ETH and BASE only.')
    THEN '{"code": "not_started", "params": {}}'
  WHEN reason = 'Add a node.' THEN '{"code": "no_node", "params": {}}'
  WHEN reason = 'Switched off by an operator.' THEN '{"code": "switched_off", "params": {}}'
  ELSE jsonb_build_object('code', 'local_chain_failed', 'params', jsonb_build_object('error', reason))
END;
ALTER TABLE blockchains RENAME COLUMN reason TO inactive_cause;
