import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LucideIcon } from 'lucide-react'
import {
  ArrowUpRight,
  CircleDollarSign,
  CodeXml,
  LayoutDashboard,
  Merge,
  Settings,
  TrendingUp,
  Wallet,
} from 'lucide-react'

type MenuEntry = {
  readonly name: string
  readonly label: MessageDescriptor
  readonly icon: LucideIcon
  /** Lights the entry while it is part of the lower-cased path (specification §2). */
  readonly id: string
  /** Opens the documentation in a new tab below this entry. */
  readonly withDocumentation?: true
}

/** The groups of the menu with their entries, in order; what stands below an entry are the pages that name it. */
export const MENU_ENTRIES = [
  {
    heading: undefined,
    entries: [
      { name: 'dashboard', label: msg`Dashboard`, icon: LayoutDashboard, id: 'dashboard' },
      { name: 'payments', label: msg`Payments`, icon: CircleDollarSign, id: '/payments/' },
      { name: 'growth', label: msg`Growth`, icon: TrendingUp, id: '/growth/' },
    ],
  },
  {
    heading: msg`ASSETS`,
    entries: [
      { name: 'wallets', label: msg`Wallet management`, icon: Wallet, id: 'managewallet' },
      { name: 'sweeps', label: msg`Funds Consolidation`, icon: Merge, id: 'sweepin' },
      { name: 'withdraw', label: msg`Withdraw`, icon: ArrowUpRight, id: 'withdraw' },
    ],
  },
  {
    heading: msg`GENERAL`,
    entries: [
      { name: 'developers', label: msg`Developers`, icon: CodeXml, id: 'developers', withDocumentation: true },
      { name: 'settings', label: msg`Settings`, icon: Settings, id: 'settings' },
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
