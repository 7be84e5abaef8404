import type { Theme, ThemeChoice } from '../view.ts'

/** The colours a page is drawn in: what its address asks for, else what the project chose; undefined as the device is set. */
export function drawnTheme(asked: ThemeChoice | undefined, chosen: ThemeChoice = 'system'): Theme | undefined {
  const theme = asked ?? chosen
  return theme === 'system' ? undefined : theme
}
