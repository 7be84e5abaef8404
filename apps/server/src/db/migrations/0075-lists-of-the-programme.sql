-- Lists of the referral programme are read in their order, whatever they are narrowed to: each index holds the state before the
-- time, and a page is merged from the first rows of each state (decision 0062). Each takes the place of one without the state.

-- 0: nobody brought them; 1: somebody did, and they brought somebody; 2: somebody did, and that is all.
ALTER TABLE referrers ADD COLUMN kind smallint NOT NULL
  GENERATED ALWAYS AS (CASE WHEN referred_by IS NULL THEN 0 WHEN referee_count > 0 THEN 1 ELSE 2 END) STORED;
DROP INDEX referrers_of_project, referrers_by_earned, referrers_by_referees, referrers_by_email;
CREATE INDEX referrers_of_project ON referrers (project_id, kind, status, created_at DESC, id DESC);
CREATE INDEX referrers_by_earned ON referrers (project_id, kind, status, earned DESC, id DESC);
CREATE INDEX referrers_by_referees ON referrers (project_id, kind, status, referee_count DESC, id DESC);
CREATE INDEX referrers_by_email ON referrers (project_id, kind, status, lower(email), id);
-- What a search begins with; e-mails have such an index.
CREATE INDEX referrers_reference ON referrers (project_id, lower(reference_id) text_pattern_ops);

-- Nothing reads the logs of a project by their ids.
DROP INDEX event_logs_of_project, event_logs_created, event_logs_of_member;
CREATE INDEX event_logs_of_project ON event_logs (project_id, status, created_at DESC, id DESC);
CREATE INDEX event_logs_of_event ON event_logs (event_id, status, created_at DESC, id DESC);
CREATE INDEX event_logs_of_member ON event_logs (member_id, created_at DESC, id DESC);

-- `rewards_of_campaign_by_status` holds the same.
DROP INDEX rewards_of_campaign;
