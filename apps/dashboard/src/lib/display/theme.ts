import { readOfAccount, subscribe, useOfAccount } from '../device/stored.ts'
import { chooseDisplay } from './display.ts'

export type Theme = 'system' | 'light' | 'dark'

/** The entry that `public/theme.js` reads before the first paint, after the account's of the same name. */
const ENTRY = 'theme'

/** Returns the chosen theme. */
export function useTheme(): Theme {
  return asTheme(useOfAccount(ENTRY))
}

/** Chooses a theme. */
export function chooseTheme(theme: Theme): void {
  chooseDisplay({ theme })
}

/** Puts the chosen theme on the page, now and whenever it changes: here, in another tab, or with the account. */
export function followTheme(): () => void {
  showTheme()
  return subscribe(showTheme)
}

function showTheme(): void {
  const theme = asTheme(readOfAccount(ENTRY))
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

function asTheme(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}
