import { SETTINGS } from '../../apps/server/src/config/settings.ts'
import { page, printedFrom, table } from './markdown.ts'

/** Prints every setting the environment may hold. */
export function settingsPage(): string {
  const rows = Object.entries(SETTINGS).map(([name, { accepts, default: usual, purpose }]) => [
    `\`${name}\``,
    accepts,
    usual,
    purpose,
  ])
  return page(
    '# Settings',
    printedFrom('apps/server/src/config/settings.ts'),
    'All of them are read from the environment, once, when Kassa starts. None is needed on the sandbox.',
    table(['Name', 'Accepts', 'Default', 'What it is for'], rows),
  )
}
