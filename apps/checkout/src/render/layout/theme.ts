import type { Theme, ThemeChoice } from '../view.ts'

/** Returns the colours of a page: those its URL asks for, else the project's; undefined for those of the device. */
export function drawnTheme(asked: ThemeChoice | undefined, chosen: ThemeChoice = 'system'): Theme | undefined {
  const theme = asked ?? chosen
  return theme === 'system' ? undefined : theme
}
