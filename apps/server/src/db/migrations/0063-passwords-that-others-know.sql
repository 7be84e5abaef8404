-- What an administrator saw of somebody else's access, a link or a first password, works only while they may manage that
-- person: whoever is demoted or revoked takes no account along, and nobody keeps one that became higher than theirs.
ALTER TABLE password_tokens ADD COLUMN shown_to integer REFERENCES operators;
-- Which of those that are out were mailed is not known; they live for three days at most.
UPDATE password_tokens SET shown_to = issued_by WHERE ended_at IS NULL;

ALTER TABLE operators ADD COLUMN password_given_by integer REFERENCES operators;
