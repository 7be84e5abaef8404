-- When a promoter last got another e-mail address: withdrawals are not signed soon after. Null: never.
ALTER TABLE referrers ADD COLUMN email_changed_at timestamptz;
