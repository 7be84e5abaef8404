-- What one member did of one kind: read from either index alone, the search passes thousands of entries of the other
-- kinds. Entries of API keys, which are most of the log, are not in it.
CREATE INDEX audit_entries_of_operator_by_event ON audit_entries (operator_id, event, id) WHERE operator_id IS NOT NULL;
