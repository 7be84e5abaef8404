-- Payments whose shop was not told are looked for among all payments (api.md Y18): failed deliveries are few.

CREATE INDEX deliveries_failed ON deliveries (reference_id) WHERE status = 'failed';
