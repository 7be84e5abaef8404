-- E-mails that a sandbox without a mail server keeps instead of sending them (decision 0040): the newest 200, for whoever tries
-- Kassa. Elsewhere the table stays empty.
CREATE TABLE sandbox_emails (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recipient text NOT NULL CHECK (length(recipient) <= 320),
  -- What the e-mail says, without its layout.
  message jsonb NOT NULL CHECK (octet_length(message::text) <= 65536),
  created_at timestamptz NOT NULL
);
