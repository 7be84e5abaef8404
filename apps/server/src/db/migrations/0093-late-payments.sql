-- Payments whose money came after their time, newest first: few among the unpaid ones of years, all of which were read to find them.
CREATE INDEX payments_late ON payments (project_id, created_at DESC, id DESC) WHERE late;
