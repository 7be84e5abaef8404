import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import type { Can } from '../../api/me.ts'
import type { ListedProject } from '../../api/projects.ts'
import { bareAmount, CENTS, amountError, wireAmount } from '../../lib/text/amount-text.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { paths } from '../../lib/paths.ts'
import { usd } from '../../lib/text/format.ts'
import { SPEC_TEXTS } from '../../lib/text/spec-texts.ts'
import type { Theme } from '../../lib/display/theme.ts'
import type { StatusBadgeProps } from '../../ui/facts/StatusBadge.tsx'
import { hrefOf, NAVIGATION } from '../navigation/menu.ts'
import { entryLabel } from '../navigation/menu-entries.ts'
import type { Page } from '../page.ts'
import { PAGES } from '../pages.ts'

/** The groups of the list with their headings. */
export const COMMAND_GROUPS = {
  create: msg({ message: 'Create', comment: 'heading of what can be made' }),
  payments: msg`Payments`,
  customers: msg`Customers`,
  payouts: msg`Payouts`,
  members: msg`Members`,
  promoters: msg`Promoters`,
  keys: msg`API keys`,
  pages: msg`Pages`,
  commands: msg`Commands`,
  projects: msg`Projects`,
} as const

export type CommandGroup = keyof typeof COMMAND_GROUPS

export type Command = {
  readonly id: string
  readonly group: CommandGroup
  readonly label: string
  /** What else finds it, and what is shown beside it. */
  readonly hint?: string
  /** The state of a payment or payout, and when it was made. */
  readonly badge?: StatusBadgeProps
  readonly at?: Date
  /** Where it leads; else `run` names what it does: a theme is chosen. */
  readonly href?: string
  readonly run?: Theme | 'shortcuts' | 'charge'
}

export type PaletteContext = {
  readonly projectId: string
  readonly projects: readonly ListedProject[]
  readonly can: Can
}

type PageName = {
  readonly page: Page
  readonly label: MessageDescriptor
  readonly permission: Permission | undefined
  /** What is beside a page finds it too. */
  readonly hint?: MessageDescriptor | undefined
}

/** The pages of the menu in its order; the settings come after them. */
const MENU_PAGES: readonly PageName[] = NAVIGATION.flatMap(({ entries }) => entries).flatMap((entry): PageName[] => [
  ...(entry.page === undefined ? [] : [{ ...entry, page: entry.page }]),
  ...entry.leaves.map((leaf) => ({ ...leaf, label: leaf.page.title, hint: entry.label })),
])

/** The pages that the palette alone leads to. */
const FURTHER_PAGES: readonly PageName[] = PAGES.flatMap((page) => {
  const { command: label, nav, permission } = page
  return label === undefined ? [] : [{ page, label, permission, hint: nav && entryLabel(nav.entry) }]
})

/** Every page the operator may open: the menu's, then the settings'. */
export function pageCommands({ projectId, can }: PaletteContext): Command[] {
  return [...MENU_PAGES, ...FURTHER_PAGES]
    .filter(({ permission }) => permission === undefined || can(permission, projectId))
    .map(({ page, label, hint }) => ({
      id: `page ${page.path.pattern}`,
      group: 'pages',
      label: t(label),
      href: hrefOf(page, projectId),
      ...(hint !== undefined && { hint: t(hint) }),
    }))
}

/** What can be done from anywhere. */
export function doCommands({ projectId, can }: PaletteContext): Command[] {
  const all: readonly (Command & { readonly needs?: Parameters<Can>[0] })[] = [
    {
      id: 'do link',
      group: 'commands',
      label: t`Create payment link`,
      href: paths.createPayment({ projectId }),
      needs: 'payment:create',
    },
    {
      id: 'do sweep',
      group: 'commands',
      label: t`Sweep deposits to the cold wallet`,
      href: paths.sweeps({ tabId: 'Funds' }),
      needs: 'sweep:write',
    },
    {
      id: 'do sweeps',
      group: 'commands',
      label: t`Sweep history`,
      href: paths.sweeps({ tabId: 'History' }),
      needs: 'sweep:read',
    },
    {
      id: 'do webhook',
      group: 'commands',
      label: t`Add webhook`,
      href: paths.developers({ tabId: 'webhooks' }),
      needs: 'webhook:write',
    },
    {
      id: 'do key',
      group: 'commands',
      label: t`Create API key`,
      href: paths.developers({ tabId: 'apiKeys' }),
      needs: 'api_key:write',
    },
    { id: 'do system', group: 'commands', label: t`Theme: System`, run: 'system' },
    { id: 'do light', group: 'commands', label: t`Theme: Light`, run: 'light' },
    { id: 'do dark', group: 'commands', label: t`Theme: Dark`, run: 'dark' },
    { id: 'do keys', group: 'commands', label: t`Keyboard shortcuts`, run: 'shortcuts' },
    { id: 'do out', group: 'commands', label: t(SPEC_TEXTS.logout), hint: t`Sign out`, href: paths.signOut() },
  ]
  return all.filter(({ needs }) => needs === undefined || can(needs, projectId)).map(({ needs: _needs, ...one }) => one)
}

/** The projects to switch to, all of them together first. */
export function projectCommands({ projects }: PaletteContext): Command[] {
  const all = projects.length > 1 ? [{ id: ALL_PROJECTS, name: t(SPEC_TEXTS.allProjects) }] : []
  return [...all, ...projects.map(({ id, name }) => ({ id: String(id), name }))].map(({ id, name }) => ({
    id: `project ${id}`,
    group: 'projects',
    label: name,
    hint: t`Switch project`,
    href: paths.dashboard({ projectId: id }, { projectId: id }),
  }))
}

export type Charge = { readonly amountInUSD: string; readonly customerEmail: string }

/** `charge`, an amount, and what comes after it. */
const CHARGE = /^\s*charge\s+((?:us)?\$?[\d.,]\S*(?:\s+usd\b)?)\s*(.*?)\s*$/i

const EMAIL = /^\S+@\S+\.\S+$/

/** Reads `charge 49` and `charge 1,234.50 a@example.com`; undefined for anything else. */
export function readCharge(text: string): Charge | undefined {
  if (chargeRefusal(text) !== undefined) return undefined
  const [, amount = '', customerEmail = ''] = CHARGE.exec(text) ?? []
  const amountInUSD = wireAmount(bareAmount(amount, 'USD'), CENTS)
  return /[1-9]/.test(amountInUSD) ? { amountInUSD, customerEmail } : undefined
}

/** Returns what keeps a `charge` from being read, in the words of the form’s own amount; undefined where nothing does. */
export function chargeRefusal(text: string): string | undefined {
  if (/^\s*charge\s*$/i.test(text)) return t`Go on with the amount: charge 49`
  const [, amount, customerEmail = ''] = CHARGE.exec(text) ?? []
  if (amount === undefined) return undefined
  const why = amountError(bareAmount(amount, 'USD'), CENTS)
  if (why !== undefined) return why
  return customerEmail === '' || EMAIL.test(customerEmail) ? undefined : t`Go on with the customer’s e-mail address`
}

/** The project a link is made in: the current one, or the only one. */
export function chargedProject({ projectId, projects }: Pick<PaletteContext, 'projectId' | 'projects'>) {
  return projects.find(({ id }) => String(id) === projectId) ?? (projects.length === 1 ? projects[0] : undefined)
}

/** The command that makes a link of what was typed, where the operator may. */
export function chargeCommand(text: string, { projectId, projects, can }: PaletteContext): Command | undefined {
  const charge = readCharge(text)
  const project = chargedProject({ projectId, projects })
  if (charge === undefined || project === undefined || !can('payment:create', project.id)) return undefined
  const [amount, { name }] = [usd(charge.amountInUSD), project]
  const label = t`Create payment link for ${amount} · ${name}`
  if (charge.customerEmail !== '')
    return { id: 'charge', group: 'create', label, hint: charge.customerEmail, run: 'charge' }
  const href = paths.createPayment({ projectId: project.id }, { amount: charge.amountInUSD })
  return { id: 'charge', group: 'create', label, hint: t`Choose a customer`, href }
}

/**
 * Returns the commands that what was typed finds, best first and each place once; `>` finds commands alone, `go` pages
 * alone. The groups stay together, in the order of their best.
 */
export function findCommands(text: string, commands: readonly Command[]): Command[] {
  const [, mark = '', words = ''] = /^\s*(>|go\s+)?\s*(.*?)\s*$/is.exec(text) ?? []
  const typed = words.toLowerCase()
  const found = commands
    .filter(({ group }) => isMeant(mark, group))
    .map((command) => ({ command, rank: rankOf(typed, command) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command)
  const once = found.filter(
    ({ href }, at) => href === undefined || found.findIndex((command) => command.href === href) === at,
  )
  return [...Map.groupBy(once, ({ group }) => group).values()].flat()
}

function isMeant(mark: string, group: CommandGroup): boolean {
  if (mark === '') return true
  return mark === '>' ? group === 'commands' : group === 'pages'
}

/** 3 begins with it, 2 has a word that does, 1 has all words somewhere, 0 is something else. */
function rankOf(typed: string, { label, hint = '' }: Command): number {
  const name = label.toLowerCase()
  if (name.startsWith(typed)) return 3
  if (name.split(/[\s-]+/).some((word) => word.startsWith(typed))) return 2
  const all = `${name} ${hint.toLowerCase()}`
  return typed.split(/\s+/).every((word) => all.includes(word)) ? 1 : 0
}
