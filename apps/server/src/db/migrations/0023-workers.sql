-- What works in the background, as each process says of itself every few seconds (api.md C10, C11). Times are the
-- database's: processes on several machines need not agree on theirs. A process that ends takes its rows with it; one that
-- died leaves rows that grow old.

CREATE TABLE workers (
  name text NOT NULL,
  process text NOT NULL,
  -- Began, or last began again on somebody's word.
  begun_at timestamptz NOT NULL,
  beat_at timestamptz NOT NULL,
  -- Its newest turn, whatever came of it.
  turned_at timestamptz,
  -- Why it does not get on; null while it does.
  failure text,
  -- Restarts: how many it was told to make, and how many it has made. A request that outlives its process is void, since
  -- the next process begins anew in any case.
  restarts_asked int NOT NULL DEFAULT 0,
  restarts_done int NOT NULL DEFAULT 0,
  PRIMARY KEY (name, process)
);
