-- Payments whose shop was not told are looked for project by project (api.md Y18), every minute by whoever has the
-- dashboard open: what is asked of a failed delivery stands in the index.

CREATE INDEX deliveries_failed_of_project ON deliveries (project_id, reference_id)
  INCLUDE (sequence, webhook_id, finished_at, id) WHERE status = 'failed';
DROP INDEX deliveries_failed;
