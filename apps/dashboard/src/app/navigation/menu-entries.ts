import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

type MenuEntry = {
  readonly name: string
  readonly label: MessageDescriptor
  /** Lights the entry while it is part of the lower-cased path (specification §2). */
  readonly id: string
  /** Opens the documentation in a new tab below this entry. */
  readonly withDocumentation?: true
}

/** The groups of the menu with their entries, in order; below an entry are the pages that name it. */
export const MENU_ENTRIES = [
  {
    heading: undefined,
    entries: [
      { name: 'dashboard', label: msg`Dashboard`, id: 'dashboard' },
      { name: 'payments', label: msg`Payments`, id: '/payments/' },
      { name: 'growth', label: msg`Growth`, id: '/growth/' },
    ],
  },
  {
    heading: msg`ASSETS`,
    entries: [
      { name: 'wallets', label: msg`Wallet management`, id: 'managewallet' },
      { name: 'sweeps', label: msg`Funds Consolidation`, id: 'sweepin' },
      { name: 'withdraw', label: msg`Withdraw`, id: 'withdraw' },
    ],
  },
  {
    heading: msg`GENERAL`,
    entries: [
      { name: 'developers', label: msg`Developers`, id: 'developers', withDocumentation: true },
      { name: 'settings', label: msg`Settings`, id: 'settings' },
    ],
  },
] as const satisfies readonly {
  readonly heading: MessageDescriptor | undefined
  readonly entries: readonly MenuEntry[]
}[]

export type MenuEntryName = (typeof MENU_ENTRIES)[number]['entries'][number]['name']

/** Returns what an entry is called: the breadcrumb above the pages below it. */
export function entryLabel(name: MenuEntryName): MessageDescriptor | undefined {
  return MENU_ENTRIES.flatMap(({ entries }): readonly MenuEntry[] => entries).find((entry) => entry.name === name)
    ?.label
}
