import type { Permission } from '@kassa/contract/permissions.ts'

import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'

export type OnScreen = {
  /** The project of the address, or `all`. */
  readonly projectId: string
  /** The payment whose drawer is open. */
  readonly openPayment: string | undefined
  /** Figures of payments are on screen. */
  readonly hasFigures?: boolean
  readonly can: (permission: Permission, projectId: string) => boolean
}

/** Returns the topics of api.md 7 for what is on screen; `all` hears of every project the operator may see. */
export function topicsFor({ projectId, openPayment, hasFigures = false, can }: OnScreen): string[] {
  const topics = ['me']
  if (can('payment:read', projectId)) topics.push(`project:${projectId}:payments`, `project:${projectId}:bulk-jobs`)
  if (hasFigures && can('analytics:read', projectId)) topics.push(`project:${projectId}:analytics`)
  if (can('payout:read', projectId)) topics.push(`project:${projectId}:payouts`)
  if (can('referral:read', projectId)) topics.push(`project:${projectId}:referral`)
  if (can('webhook:read', projectId)) topics.push(`project:${projectId}:deliveries`)
  if (can('sweep:read', projectId)) topics.push('sweeps')
  if (can('blockchain:read', projectId)) topics.push('system:chains')
  if (can('system:read', projectId)) topics.push('system:workers')
  if (can('vault:read', projectId)) topics.push('system:vaults')
  if (openPayment !== undefined && projectId !== ALL_PROJECTS && can('payment:read', projectId)) {
    topics.push(`project:${projectId}:payment:${openPayment}`)
  }
  return topics
}

/** What projects, wallets, settings and people are; a policy that pauses sending holds payouts, too. */
const OF_SETTINGS = [
  ...[
    'me',
    'projects',
    'wallets',
    'contracts',
    'readiness',
    'payment-methods',
    'webhooks',
    'api-keys',
    'alarms',
    'attention',
    'backups',
  ],
  ...['members', 'roles', 'configuration', 'recipients', 'payout-policy', 'withdrawals', 'customers'],
]

/** The first word of every query key that a topic marks stale: keys start with the noun they hold. */
const STALE: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^project:[^:]+:payments?(?::|$)/, ['payments', 'attention']],
  [/^project:[^:]+:deliveries$/, ['webhooks', 'payments', 'attention']],
  [/^project:[^:]+:bulk-jobs$/, ['bulk-jobs']],
  [/^project:[^:]+:payouts$/, ['withdrawals', 'payments', 'wallets', 'attention']],
  [/^project:[^:]+:referral$/, ['growth', 'withdrawals']],
  [/^project:[^:]+:analytics$/, ['analytics']],
  [/^sweeps$/, ['sweeps', 'wallets', 'attention']],
  [/^system:chains/, ['blockchains', 'readiness', 'payment-methods']],
  [/^system:workers/, ['workers']],
  [/^system:vaults/, ['vaults', 'alarms', 'attention']],
  [/^me$/, OF_SETTINGS],
]

/** Returns the nouns whose answers an event on this topic has made stale. */
export function staleNouns(topic: string): readonly string[] {
  return STALE.find(([pattern]) => pattern.test(topic))?.[1] ?? []
}

/** Events of this long count as one. */
const TOGETHER_MS = 250

/**
 * Lists are read again at most so often: a busy shop has events all the time, a session may ask for six searches a second
 * (api.md 1.7), and what is marked stale again before its answer has come is asked for anew.
 */
const PACE_MS = 1_000

/** Marks nouns stale soon after the first event, and while events keep coming once a second. */
export function pacedStale(forget: (nouns: readonly string[]) => void): (nouns: readonly string[]) => void {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let freeAt = 0
  const flush = () => {
    timer = undefined
    freeAt = performance.now() + PACE_MS
    forget([...waiting])
    waiting.clear()
  }
  return (nouns) => {
    for (const noun of nouns) waiting.add(noun)
    timer ??= setTimeout(flush, Math.max(TOGETHER_MS, freeAt - performance.now()))
  }
}
