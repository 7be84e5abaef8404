import { msg, t } from '@lingui/core/macro'

import type { Can } from '../../api/me.ts'
import type { ListedProject } from '../../api/projects.ts'
import { ALL_PROJECTS } from '../../lib/current-project.ts'
import { usd } from '../../lib/format.ts'
import { SPEC_TEXTS } from '../../lib/spec-texts.ts'
import { fillHref, NAVIGATION } from '../navigation.ts'

/** The groups of the list and what stands above each. */
export const COMMAND_GROUPS = {
  create: msg({ message: 'Create', comment: 'heading of what can be made' }),
  payments: msg`Payments`,
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
  /** Where it leads; else `run` names what it does. */
  readonly href?: string
  readonly run?: 'theme' | 'shortcuts' | 'charge'
}

export type Surroundings = {
  readonly projectId: string
  readonly projects: readonly ListedProject[]
  readonly can: Can
}

const SETTINGS_PAGE = { label: msg`Settings`, href: '/settings' }
const SETTINGS = [
  SETTINGS_PAGE,
  { label: msg`Security`, href: '/settings/security' },
  { label: msg`E-mail`, href: '/settings/email', permission: 'settings:read' },
  { label: msg`Blockchains and nodes`, href: '/settings/blockchains', permission: 'blockchain:read' },
  { label: msg`System health`, href: '/settings/system', permission: 'system:read' },
] as const

/** Every page the operator may open: the menu's, then the settings'. */
export function pageCommands({ projectId, can }: Surroundings): Command[] {
  const pages = NAVIGATION.flatMap(({ entries }) => entries).flatMap(({ label, href, permission, leaves = [] }) => [
    ...(href === undefined || href === SETTINGS_PAGE.href ? [] : [{ label, href, permission, hint: undefined }]),
    ...leaves.map((leaf) => ({ label: leaf.label, href: leaf.href, permission: leaf.permission, hint: label })),
  ])
  const settings = SETTINGS.map((page) => ({
    label: page.label,
    href: page.href,
    permission: 'permission' in page ? page.permission : undefined,
    hint: page === SETTINGS_PAGE ? undefined : SETTINGS_PAGE.label,
  }))
  return [...pages, ...settings]
    .filter(({ permission }) => permission === undefined || can(permission, projectId))
    .map(({ label, href, hint }) => ({
      id: `page ${href}`,
      group: 'pages',
      label: t(label),
      href: fillHref(href, projectId),
      ...(hint !== undefined && { hint: t(hint) }),
    }))
}

/** What can be done from anywhere. */
export function doCommands({ projectId, can }: Surroundings): Command[] {
  const all: readonly (Command & { readonly needs?: Parameters<Can>[0] })[] = [
    {
      id: 'do link',
      group: 'commands',
      label: t`Create payment link`,
      href: fillHref('/project/{projectId}/payments/createPaymentLink', projectId),
      needs: 'payment:create',
    },
    {
      id: 'do webhook',
      group: 'commands',
      label: t`Add webhook`,
      href: '/developers?tabId=webhooks',
      needs: 'webhook:write',
    },
    {
      id: 'do key',
      group: 'commands',
      label: t`Create API key`,
      href: '/developers?tabId=apiKeys',
      needs: 'api_key:write',
    },
    { id: 'do theme', group: 'commands', label: t`Switch theme`, run: 'theme' },
    { id: 'do keys', group: 'commands', label: t`Keyboard shortcuts`, run: 'shortcuts' },
    { id: 'do out', group: 'commands', label: t`Sign out`, href: '/logout' },
  ]
  return all.filter(({ needs }) => needs === undefined || can(needs, projectId)).map(({ needs: _needs, ...one }) => one)
}

/** The projects to switch to, all of them together first. */
export function projectCommands({ projects }: Surroundings): Command[] {
  const lead = (id: string) => `/project/${id}/dashboard?projectId=${id}`
  const all = projects.length > 1 ? [{ id: ALL_PROJECTS, name: t(SPEC_TEXTS.allProjects) }] : []
  return [...all, ...projects.map(({ id, name }) => ({ id: String(id), name }))].map(({ id, name }) => ({
    id: `project ${id}`,
    group: 'projects',
    label: name,
    hint: t`Switch project`,
    href: lead(id),
  }))
}

export type Charge = { readonly amountInUSD: string; readonly customerEmail: string }

/** Reads `charge 49` and `charge 49 a@example.com`; undefined for anything else. */
export function readCharge(text: string): Charge | undefined {
  const [, amountInUSD, customerEmail = ''] =
    /^charge\s+\$?(\d{1,12}(?:\.\d{1,6})?)(?:\s+(\S+@\S+\.\S+))?\s*$/i.exec(text.trim()) ?? []
  return amountInUSD === undefined || !/[1-9]/.test(amountInUSD) ? undefined : { amountInUSD, customerEmail }
}

/** The project a link is made in: the current one, or the only one. */
export function chargedProject({ projectId, projects }: Pick<Surroundings, 'projectId' | 'projects'>) {
  return projects.find(({ id }) => String(id) === projectId) ?? (projects.length === 1 ? projects[0] : undefined)
}

/** The command that makes a link of what was typed, where the operator may. */
export function chargeCommand(text: string, { projectId, projects, can }: Surroundings): Command | undefined {
  const charge = readCharge(text)
  const project = chargedProject({ projectId, projects })
  if (charge === undefined || project === undefined || !can('payment:create', project.id)) return undefined
  const [amount, { name }] = [usd(charge.amountInUSD), project]
  const label = t`Create payment link for ${amount} · ${name}`
  if (charge.customerEmail !== '')
    return { id: 'charge', group: 'create', label, hint: charge.customerEmail, run: 'charge' }
  const href = `/project/${project.id}/payments/createPaymentLink?amount=${charge.amountInUSD}`
  return { id: 'charge', group: 'create', label, hint: t`Choose a customer`, href }
}

/** Returns the commands that what was typed finds, best first; `>` finds commands alone, `go` pages alone. */
export function findCommands(text: string, commands: readonly Command[]): Command[] {
  const [, mark = '', words = ''] = /^\s*(>|go\s+)?\s*(.*?)\s*$/is.exec(text) ?? []
  const within =
    mark === '>'
      ? commands.filter(({ group }) => group === 'commands')
      : mark === ''
        ? commands
        : commands.filter(({ group }) => group === 'pages')
  const typed = words.toLowerCase()
  return within
    .map((command) => ({ command, rank: rankOf(typed, command) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command)
}

/** 3 begins with it, 2 has a word that does, 1 has all words somewhere, 0 is something else. */
function rankOf(typed: string, { label, hint = '' }: Command): number {
  const name = label.toLowerCase()
  if (name.startsWith(typed)) return 3
  if (name.split(/[\s-]+/).some((word) => word.startsWith(typed))) return 2
  const all = `${name} ${hint.toLowerCase()}`
  return typed.split(/\s+/).every((word) => all.includes(word)) ? 1 : 0
}
