-- What price sources say, and the prices that were decided from it (money.md 3.3, P-5).

-- The newest answer of each source, whatever text it is; `failure` says why the last attempt brought none.
CREATE TABLE price_readings (
  currency_code text NOT NULL,
  source text NOT NULL,
  price text NOT NULL,
  source_at timestamptz NOT NULL,
  asked_at timestamptz NOT NULL,
  failure text,
  PRIMARY KEY (currency_code, source)
);

-- The last price of each currency that could be trusted, which bounds the next; `missing_since` while there is none.
CREATE TABLE last_prices (
  currency_code text PRIMARY KEY,
  price numeric(38, 18) CHECK (price > 0),
  priced_at timestamptz,
  missing_since timestamptz,
  CHECK ((price IS NULL) = (priced_at IS NULL)),
  CHECK (price IS NOT NULL OR missing_since IS NOT NULL)
);

-- One decided price per minute: what late money is valued at. Nothing is ever changed here, only forgotten.
CREATE TABLE price_history (
  currency_code text NOT NULL,
  at timestamptz NOT NULL,
  price numeric(38, 18) NOT NULL CHECK (price > 0),
  PRIMARY KEY (currency_code, at)
);

-- When the sources are to be asked next: the process that moves this time forward asks them.
CREATE TABLE price_turns (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  next_at timestamptz NOT NULL
);
INSERT INTO price_turns (next_at) VALUES ('epoch');
