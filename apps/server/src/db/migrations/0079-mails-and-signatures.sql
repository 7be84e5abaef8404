-- Leads get one mail about an endpoint that has failed for days: the start of the failures they were mailed about, written
-- with the mails themselves.
ALTER TABLE webhooks ADD COLUMN mailed_failing_since timestamptz;

-- A customer gets one reminder of an open link. The index holds the links that are still to be reminded of: those that live
-- for an hour or more.
ALTER TABLE payments ADD COLUMN reminded_at timestamptz;
CREATE INDEX payments_to_remind ON payments (expires_at)
  WHERE status = 'OPEN' AND seen_units = 0 AND reminded_at IS NULL AND expires_at - created_at >= interval '3600 seconds';

-- When a hot wallet signed last is read from its newest sends.
CREATE INDEX sends_of_wallet ON sends (wallet_id, id);
