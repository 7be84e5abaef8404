-- Since when sending of a project is paused: screens say it beside what waits. Where it is paused already, the last change is
-- the nearest that is known.
ALTER TABLE payout_policies ADD COLUMN paused_at timestamptz;
UPDATE payout_policies SET paused_at = updated_at WHERE paused;
ALTER TABLE payout_policies ADD CONSTRAINT payout_policies_pause_is_whole CHECK (paused = (paused_at IS NOT NULL));
