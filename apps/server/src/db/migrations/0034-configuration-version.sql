-- The version of the configuration that processes keep in memory (0023). It is raised in the transaction of each change, so that whoever reads a
-- version and loads the configuration afterwards has at least what it stands for.

CREATE TABLE config_version (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version bigint NOT NULL
);
INSERT INTO config_version (version) VALUES (1);

CREATE FUNCTION raise_config_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE config_version SET version = version + 1;
  RETURN NULL;
END $$;

-- Deferred to the commit: everyone takes the row's lock last and for a moment, so that two changes of configuration never wait for each other in a
-- circle. PostgreSQL defers triggers of rows only.
CREATE CONSTRAINT TRIGGER projects_configure AFTER INSERT OR UPDATE OR DELETE ON projects
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_config_version();
CREATE CONSTRAINT TRIGGER project_assets_configure AFTER INSERT OR UPDATE OR DELETE ON project_assets
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_config_version();
CREATE CONSTRAINT TRIGGER wallets_configure AFTER INSERT OR UPDATE OR DELETE ON wallets
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_config_version();
CREATE CONSTRAINT TRIGGER project_wallets_configure AFTER INSERT OR UPDATE OR DELETE ON project_wallets
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_config_version();
CREATE CONSTRAINT TRIGGER assets_configure AFTER INSERT OR UPDATE OR DELETE ON assets
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_config_version();
CREATE CONSTRAINT TRIGGER blockchains_configure AFTER INSERT OR UPDATE OR DELETE ON blockchains
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_config_version();
CREATE CONSTRAINT TRIGGER rpc_nodes_configure AFTER INSERT OR DELETE OR UPDATE OF is_active, blockchain_id ON rpc_nodes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_config_version();
CREATE CONSTRAINT TRIGGER webhooks_configure AFTER INSERT OR DELETE OR UPDATE OF status, events, url ON webhooks
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_config_version();
CREATE CONSTRAINT TRIGGER configuration_configure AFTER INSERT OR UPDATE OR DELETE ON configuration
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_config_version();
