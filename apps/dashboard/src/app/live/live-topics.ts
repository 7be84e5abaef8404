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
