-- Times to finality of eight days and of sixty-four are kept beside those of a day, as roll-ups are (decision 0053): a year of
-- twenty projects was more than a million rows to read. `day` is the first of a cell, counted from 1970.
ALTER TABLE finality_times ADD COLUMN level int NOT NULL DEFAULT 1, DROP CONSTRAINT finality_times_pkey;
INSERT INTO finality_times (project_id, level, day, blockchain_id, bucket, count)
SELECT project_id, longer.level, '1970-01-01'::date + (day - '1970-01-01'::date) / longer.level * longer.level, blockchain_id,
  bucket, sum(count)
FROM finality_times CROSS JOIN unnest('{8,64}'::int[]) AS longer (level) GROUP BY 1, 2, 3, 4, 5;
ALTER TABLE finality_times ADD PRIMARY KEY (project_id, level, day, blockchain_id, bucket), ALTER COLUMN level DROP DEFAULT;
