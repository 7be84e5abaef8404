-- Why a blockchain is not read, and what operators should know about it, are codes with parameters; screens and the contract
-- have their sentences. What is no sentence of any version was said by a node, or by the database.
ALTER TABLE chain_cursors ALTER COLUMN reason TYPE jsonb USING CASE
  WHEN reason IS NULL THEN NULL
  WHEN reason = 'No process reads this network right now.' THEN '{"code": "no_process", "params": {}}'
  WHEN reason ~ '^The node replaced more than \d+ blocks below \d+\. Compare it with another source\.$'
    THEN jsonb_build_object('code', 'halted', 'params', jsonb_build_object('halt', jsonb_build_object('case', 'too_deep',
      'limit', substring(reason FROM 'more than (\d+) blocks')::bigint,
      'height', substring(reason FROM 'below (\d+)\.')::bigint)))
  WHEN reason ~ '^The node replaced block \d+, which was final\. Compare it with another source\.$'
    THEN jsonb_build_object('code', 'halted', 'params', jsonb_build_object('halt', jsonb_build_object('case', 'below_final',
      'height', substring(reason FROM 'block (\d+), which')::bigint)))
  WHEN reason ~ '^The chain (reverted|took back) money that was already spent: .*\.$'
    THEN jsonb_build_object('code', 'halted', 'params', jsonb_build_object('halt', jsonb_build_object('case', 'spent',
      'detail', substring(reason FROM 'already spent: (.*)\.$'))))
  WHEN reason ~ '^Block \d+ is not (stored|kept) any more\.$'
    THEN jsonb_build_object('code', 'halted', 'params', jsonb_build_object('halt', jsonb_build_object('case', 'resume_block_gone',
      'height', substring(reason FROM '^Block (\d+) is')::bigint)))
  WHEN reason ~ '^Going back to block \d+ would (revert|take back) money that was spent: .*\.$'
    THEN jsonb_build_object('code', 'halted', 'params', jsonb_build_object('halt', jsonb_build_object('case', 'resume_spent',
      'height', substring(reason FROM '^Going back to block (\d+) would')::bigint,
      'detail', substring(reason FROM 'that was spent: (.*)\.$'))))
  ELSE jsonb_build_object('code', 'read_failed', 'params', jsonb_build_object('error', reason))
END;
ALTER TABLE chain_cursors RENAME COLUMN reason TO stop_cause;

ALTER TABLE chain_cursors ALTER COLUMN notice TYPE jsonb USING CASE
  WHEN notice IS NULL THEN NULL
  WHEN notice ~ '^Block \d+ could not be read as a whole, and it names an address of yours\.$'
    THEN jsonb_build_object('code', 'block_unreadable', 'params', jsonb_build_object(
      'height', substring(notice FROM '^Block (\d+) could')::bigint))
  WHEN notice ~ '^The node shows nothing of what contracts pass on, up to block \d+: such deposits are missed, and .*''s own coin is not swept\.'
    THEN jsonb_build_object('code', 'internal_transfers_hidden', 'params', jsonb_build_object(
      'network', substring(notice FROM 'are missed, and (.*)''s own coin is not swept\.'),
      'height', substring(notice FROM 'up to block (\d+):')::bigint))
  WHEN notice ~ '^Nothing has become final above block \d+ for \d+ minutes\. Deposits wait for it\.$'
    OR notice ~ '^Nothing has become final above block \d+ for \d+ minutes\. Deposits of \$[\d,]+ or more wait for it; smaller ones follow their depth\.$'
    THEN jsonb_build_object('code', 'finality_stalled', 'params', jsonb_build_object(
      'height', substring(notice FROM 'above block (\d+) for')::bigint,
      'minutes', substring(notice FROM ' for (\d+) minutes')::bigint,
      'fromUSD', replace(substring(notice FROM 'Deposits of \$([\d,]+) or more'), ',', '')))
  ELSE jsonb_build_object('code', 'unknown_notice', 'params', jsonb_build_object('text', notice))
END;
ALTER TABLE chain_cursors RENAME COLUMN notice TO notice_cause;
