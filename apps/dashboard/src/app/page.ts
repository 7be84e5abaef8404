import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import type { ReactNode } from 'react'

import type { AnyPath } from '../lib/paths.ts'
import type { MenuEntryName } from './navigation/menu-entries.ts'

/** The layout around a page: the public header, or the frame of operators. */
export type Layout = 'public' | 'shell'

/** Where the menu shows a page. */
export type NavPlace = {
  /** It is what the entry itself opens, or stands below it. */
  readonly entry: MenuEntryName
  /** Lights the link below the entry while it is part of the lower-cased path (specification §2); absent where the menu has none. */
  readonly leaf?: string
  /** The entry's own page. */
  readonly isEntry?: true
  /** Its name in the menu where that says less than its title. */
  readonly label?: MessageDescriptor
  /** What seeing the link needs where that is more than reading the page. */
  readonly permission?: Permission
  readonly query?: Readonly<Record<string, string>>
}

/** A file of `routes`. */
type RouteFile = { readonly [Name in `${string}Route`]: () => ReactNode }

export type Page = {
  readonly path: AnyPath
  readonly layout: Layout
  /** Its title and its last breadcrumb. */
  readonly title: MessageDescriptor
  /** What reading it needs. */
  readonly permission?: Permission
  readonly nav?: NavPlace
  /** Its name in the command palette where the menu does not lead there. */
  readonly command?: MessageDescriptor
  /** Names one file of `routes`, after which the build names its program; the page is what it exports as `…Route`. */
  readonly load: () => Promise<RouteFile>
  /** What its own program may weigh beside its frame, in kB (gzip), at most 40; `npm run check` weighs it. */
  readonly budget: number
}

/** Returns the definition as it is. */
export function page(definition: Page): Page {
  return definition
}
