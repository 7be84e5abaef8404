-- Leads get one mail about an endpoint that has failed for days: the start of the failures they were mailed about, written
-- with the mails themselves.
ALTER TABLE webhooks ADD COLUMN mailed_failing_since timestamptz;
