import { readStored, useStored, writeStored } from './stored.ts'

export type Theme = 'system' | 'light' | 'dark'

/** The entry that `public/theme.js` reads before the first paint. */
const ENTRY = 'theme'

/** Returns the chosen theme. */
export function useTheme(): Theme {
  return asTheme(useStored(ENTRY))
}

/** Chooses a theme for this device and shows it at once. */
export function chooseTheme(theme: Theme): void {
  writeStored(ENTRY, theme === 'system' ? undefined : theme)
  showTheme()
}

/** Puts the chosen theme on the page. */
function showTheme(): void {
  const theme = asTheme(readStored(ENTRY))
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

function asTheme(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}
