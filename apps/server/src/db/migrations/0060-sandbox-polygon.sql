-- The sandbox has a local chain of POLYGON from now on: what an older installation says of it is no longer so.
UPDATE blockchains SET reason = 'Switch it on: its local chain starts with it.'
WHERE code = 'POLYGON' AND status = 'inactive' AND reason = 'The sandbox has no local chain of it.';
