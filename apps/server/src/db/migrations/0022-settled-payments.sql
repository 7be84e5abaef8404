-- A person says of a payment that nothing more is to be done (api.md Y22): from then on it needs no attention until its
-- money changes again, which takes the word away; the timeline keeps it.

ALTER TABLE payments
  ADD COLUMN settled_at timestamptz,
  ADD COLUMN settled_by text,
  ADD COLUMN settled_note text,
  ADD CHECK ((settled_at IS NULL) = (settled_by IS NULL)),
  ADD CHECK ((settled_at IS NULL) = (settled_note IS NULL));

-- What needs attention for what the payment itself is: few among all.
CREATE INDEX payments_attention ON payments (project_id, created_at DESC, id DESC)
  WHERE settled_at IS NULL AND (status IN ('PARTIALLY_FILLED', 'OVER_FILLED') OR late OR funding_state = 'reverted');
