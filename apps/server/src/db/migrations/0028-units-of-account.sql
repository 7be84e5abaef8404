-- Units of account (money.md 4.2): what the ledger counts in. The journal prints itself from them and asks no other module.

CREATE TABLE units (
  id int PRIMARY KEY,
  -- Null for a unit that is on no blockchain, such as the US dollar.
  asset_id int UNIQUE REFERENCES assets,
  blockchain_code text,
  currency_code text NOT NULL,
  decimals int NOT NULL CHECK (decimals BETWEEN 0 AND 30),
  -- The unit of an asset has the number of the asset: seals cover the numbers in postings. Others begin where no asset is.
  CHECK ((asset_id = id AND blockchain_code IS NOT NULL) OR (asset_id IS NULL AND blockchain_code IS NULL AND id > 1000000))
);
INSERT INTO units (id, asset_id, blockchain_code, currency_code, decimals)
SELECT asset.id, asset.id, chain.code, asset.currency_code, asset.decimals
FROM assets AS asset JOIN blockchains AS chain ON chain.id = asset.blockchain_id;

-- An asset has its unit from the start. What a unit is never changes: amounts in it would mean something else.
CREATE FUNCTION open_unit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO units (id, asset_id, blockchain_code, currency_code, decimals)
  SELECT NEW.id, NEW.id, chain.code, NEW.currency_code, NEW.decimals FROM blockchains AS chain WHERE chain.id = NEW.blockchain_id;
  RETURN NULL;
END $$;
CREATE TRIGGER assets_open_unit AFTER INSERT ON assets FOR EACH ROW EXECUTE FUNCTION open_unit();
CREATE TRIGGER units_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON units FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The numbers stay as they are, and so do the seals over them.
ALTER TABLE accounts RENAME COLUMN asset_id TO unit_id;
ALTER TABLE accounts DROP CONSTRAINT accounts_asset_id_fkey, ADD FOREIGN KEY (unit_id) REFERENCES units;
ALTER TABLE accounts RENAME CONSTRAINT accounts_kind_asset_id_owner_key_key TO accounts_kind_unit_id_owner_key_key;
ALTER TABLE accounts RENAME CONSTRAINT accounts_id_asset_id_key TO accounts_id_unit_id_key;
ALTER TABLE postings RENAME COLUMN asset_id TO unit_id;
ALTER TABLE postings RENAME CONSTRAINT postings_debit_account_asset_id_fkey TO postings_debit_account_unit_id_fkey;
ALTER TABLE postings RENAME CONSTRAINT postings_credit_account_asset_id_fkey TO postings_credit_account_unit_id_fkey;

CREATE OR REPLACE FUNCTION refuse_set_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.debits <> 0 OR NEW.credits <> 0 THEN
      RAISE EXCEPTION 'an account starts at zero';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.kind, NEW.unit_id, NEW.owner_key, NEW.side, NEW.guarded)
    IS DISTINCT FROM (OLD.id, OLD.kind, OLD.unit_id, OLD.owner_key, OLD.side, OLD.guarded) THEN
    RAISE EXCEPTION 'what an account is never changes';
  END IF;
  IF pg_trigger_depth() < 2 AND (NEW.debits, NEW.credits) IS DISTINCT FROM (OLD.debits, OLD.credits) THEN
    RAISE EXCEPTION 'account totals are moved by postings only';
  END IF;
  RETURN NEW;
END $$;
