-- Who was shown the value of a key, and the value before it: with four eyes they are no second pair for what the key asks.
-- Null is the key's maker. Who rotated the keys that exist is in the activity log only.
ALTER TABLE api_keys ADD COLUMN shown_to integer REFERENCES operators,
  ADD COLUMN previous_shown_to integer REFERENCES operators;
