-- The double-entry journal every balance is computed from (money.md 4.2).

CREATE TABLE accounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  asset_id int NOT NULL REFERENCES assets,
  owner_key text NOT NULL,
  side char(1) NOT NULL CHECK (side IN ('D', 'C')),
  guarded boolean NOT NULL,
  debits numeric(78, 0) NOT NULL DEFAULT 0,
  credits numeric(78, 0) NOT NULL DEFAULT 0,
  UNIQUE (kind, asset_id, owner_key),
  UNIQUE (id, asset_id),
  CHECK (debits >= 0 AND credits >= 0),
  CONSTRAINT never_below_zero CHECK (
    NOT guarded OR (side = 'D' AND debits >= credits) OR (side = 'C' AND credits >= debits)
  )
) WITH (fillfactor = 70);

CREATE TABLE journal_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- `<noun>:<id>:<event>[:<n>]`; compared byte by byte, so that a prefix is found through the index.
  source_key text COLLATE "C" NOT NULL UNIQUE,
  posting text NOT NULL,
  project_id int REFERENCES projects,
  blockchain_id int REFERENCES blockchains,
  height bigint,
  reverses bigint REFERENCES journal_entries,
  meta jsonb NOT NULL DEFAULT '{}',
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX journal_entries_of_project ON journal_entries (project_id, id);
-- An entry is taken back once.
CREATE UNIQUE INDEX journal_entries_reversed_once ON journal_entries (reverses) WHERE reverses IS NOT NULL;

-- A line moves units between two accounts of one asset: the composite keys make an unbalanced entry impossible.
CREATE TABLE postings (
  entry_id bigint NOT NULL REFERENCES journal_entries,
  line smallint NOT NULL,
  asset_id int NOT NULL,
  debit_account bigint NOT NULL,
  credit_account bigint NOT NULL,
  units numeric(78, 0) NOT NULL CHECK (units > 0),
  PRIMARY KEY (entry_id, line),
  CHECK (debit_account <> credit_account),
  FOREIGN KEY (debit_account, asset_id) REFERENCES accounts (id, asset_id),
  FOREIGN KEY (credit_account, asset_id) REFERENCES accounts (id, asset_id)
);
CREATE INDEX postings_debit ON postings (debit_account);
CREATE INDEX postings_credit ON postings (credit_account);

-- One update per touched account and statement, in id order, so that two transactions never wait for each other in a circle.
CREATE FUNCTION apply_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched record;
BEGIN
  FOR touched IN
    SELECT account, sum(debit) AS debit, sum(credit) AS credit
    FROM (
      SELECT debit_account AS account, units AS debit, 0::numeric AS credit FROM added
      UNION ALL
      SELECT credit_account, 0, units FROM added
    ) AS lines
    GROUP BY account
    ORDER BY account
  LOOP
    UPDATE accounts SET debits = debits + touched.debit, credits = credits + touched.credit WHERE id = touched.account;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER postings_move_accounts AFTER INSERT ON postings
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION apply_postings();

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME;
END $$;
CREATE TRIGGER postings_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_entries_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Totals move through postings only: a direct change is not nested in the trigger above. What an account is never changes.
CREATE FUNCTION refuse_set_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.debits <> 0 OR NEW.credits <> 0 THEN
      RAISE EXCEPTION 'an account starts at zero';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.kind, NEW.asset_id, NEW.owner_key, NEW.side, NEW.guarded)
    IS DISTINCT FROM (OLD.id, OLD.kind, OLD.asset_id, OLD.owner_key, OLD.side, OLD.guarded) THEN
    RAISE EXCEPTION 'what an account is never changes';
  END IF;
  IF pg_trigger_depth() < 2 AND (NEW.debits, NEW.credits) IS DISTINCT FROM (OLD.debits, OLD.credits) THEN
    RAISE EXCEPTION 'account totals are moved by postings only';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER accounts_totals BEFORE INSERT OR UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION refuse_set_balance();
CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What the last comparisons of books and chain found (money.md 4.5, 4.6).
CREATE TABLE book_checks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ok boolean NOT NULL,
  report jsonb NOT NULL,
  at timestamptz NOT NULL
);
