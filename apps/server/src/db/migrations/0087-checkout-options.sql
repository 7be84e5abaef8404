-- How a project wants the page of its customers: its language (empty: as their browser asks), its colours, and the words of the button
-- that leads back to the shop (empty: those of the language).
ALTER TABLE projects
  ADD COLUMN checkout_language text NOT NULL DEFAULT '' CHECK (checkout_language ~ '^([a-z]{2})?$'),
  ADD COLUMN checkout_theme text NOT NULL DEFAULT 'system' CHECK (checkout_theme IN ('system', 'light', 'dark')),
  ADD COLUMN back_text text NOT NULL DEFAULT '' CHECK (char_length(back_text) <= 40);
