-- When a promoter last got another e-mail address: withdrawals are not signed soon after. Null: never.
ALTER TABLE referrers ADD COLUMN email_changed_at timestamptz;

-- The mailbox that a code was sent to, in lower case: several promoters may have one. Null in rows of an older version.
ALTER TABLE referral_codes ADD COLUMN email text;
CREATE INDEX referral_codes_of_mailbox ON referral_codes (email, created_at);
