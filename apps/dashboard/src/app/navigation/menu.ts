import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
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

import { fillPath } from '../../lib/paths.ts'
import { stringifySearch } from '../../lib/navigation/search.ts'
import type { Page } from '../page.ts'
import { PAGES } from '../pages.ts'
import { MENU_ENTRIES, type MenuEntryName } from './menu-entries.ts'

/** Only the menu draws them: the pages without it are not sent them. */
const ICONS: Readonly<Record<MenuEntryName, LucideIcon>> = {
  dashboard: LayoutDashboard,
  payments: CircleDollarSign,
  growth: TrendingUp,
  wallets: Wallet,
  sweeps: Merge,
  withdraw: ArrowUpRight,
  developers: CodeXml,
  settings: Settings,
}

/** A link of the menu. It is lit while its id is contained in the lower-cased path (specification §2). */
export type NavLeaf = {
  readonly label: MessageDescriptor
  readonly id: string
  readonly page: Page
  readonly permission: Permission | undefined
}

export type NavEntry = {
  readonly label: MessageDescriptor
  readonly icon: LucideIcon
  readonly id: string
  /** What it opens itself; without a page it opens the links below it. */
  readonly page: Page | undefined
  readonly permission: Permission | undefined
  readonly leaves: readonly NavLeaf[]
  readonly withDocumentation: boolean
}

export type NavGroup = { readonly heading: MessageDescriptor | undefined; readonly entries: readonly NavEntry[] }

/** The menu: its entries, and below each the pages that name it. */
export const NAVIGATION: readonly NavGroup[] = MENU_ENTRIES.map(({ heading, entries }) => ({
  heading,
  entries: entries.map((entry) => {
    const pages = PAGES.filter(({ nav }) => nav?.entry === entry.name)
    const own = pages.find(({ nav }) => nav?.isEntry === true)
    return {
      ...entry,
      icon: ICONS[entry.name],
      withDocumentation: 'withDocumentation' in entry,
      page: own,
      permission: own && permissionOf(own),
      leaves: pages.flatMap((page) => leafOf(page) ?? []),
    }
  }),
}))

function leafOf(page: Page): NavLeaf | undefined {
  const { nav, title } = page
  if (nav?.leaf === undefined) return undefined
  return { label: nav.label ?? title, id: nav.leaf, page, permission: permissionOf(page) }
}

function permissionOf({ nav, permission }: Page): Permission | undefined {
  return nav?.permission ?? permission
}

/** Returns the link to a page that needs nothing but the current project. */
export function hrefOf({ path, nav }: Page, projectId: string): string {
  return fillPath(path.pattern, { projectId }) + stringifySearch(nav?.query ?? {})
}

/** Returns the link to the first page of the menu that an operator may read. */
export function firstHref(can: (permission: Permission) => boolean, projectId: string): string | undefined {
  const pages = NAVIGATION.flatMap(({ entries }) => entries).flatMap(
    ({ page, permission, leaves }): readonly Pick<NavLeaf, 'page' | 'permission'>[] =>
      page === undefined ? leaves : [{ page, permission }],
  )
  const first = pages.find(({ permission }) => permission === undefined || can(permission))
  return first && hrefOf(first.page, projectId)
}

/** Whether a menu item is lit on a path. Only the path counts, never the query. */
export function isActive(id: string, pathname: string): boolean {
  return pathname.toLowerCase().includes(id)
}
