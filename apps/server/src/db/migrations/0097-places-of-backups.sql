-- Where the file of a backup was written: the server of that machine looks whether it is still there. No answer says where it is.
ALTER TABLE backups
  ADD COLUMN host text,
  ADD COLUMN path text,
  ADD CONSTRAINT backups_place CHECK ((host IS NULL) = (path IS NULL));
