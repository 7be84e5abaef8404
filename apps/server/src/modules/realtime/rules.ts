import type { Permission } from '@kassa/contract/permissions.ts'

export type Grants = {
  readonly install: ReadonlySet<Permission>
  readonly projects: ReadonlyMap<number, ReadonlySet<Permission>>
}

export type Topic = {
  /** Null when it is not about one project (`all`, or install-wide). */
  readonly projectId: number | null
  readonly permission: Permission | null
}

const PROJECT_TOPICS: ReadonlyMap<string, Permission> = new Map([
  ['payments', 'payment:read'],
  ['payment', 'payment:read'],
  ['payouts', 'payout:read'],
  ['deliveries', 'webhook:read'],
  ['analytics', 'analytics:read'],
  ['bulk-jobs', 'project:read'],
  ['referral', 'referral:read'],
])
const INSTALL_TOPICS: ReadonlyMap<string, Permission | null> = new Map([
  ['sweeps', 'sweep:read'],
  ['system:chains', 'blockchain:read'],
  ['system:workers', 'system:read'],
  ['system:vaults', 'vault:read'],
  ['me', null],
])

/** Reads a topic such as `project:7:payments` (api.md 7); null when there is none of this name. */
export function readTopic(text: string): Topic | null {
  const own = INSTALL_TOPICS.get(text)
  if (own !== undefined) return { projectId: null, permission: own }
  const match = /^project:(\d{1,9}|all):([a-z-]+)(?::([0-9a-f-]{36}))?$/.exec(text)
  const permission = PROJECT_TOPICS.get(match?.[2] ?? '')
  if (!match || permission === undefined || (match[2] === 'payment') !== (match[3] !== undefined)) return null
  return { projectId: match[1] === 'all' ? null : Number(match[1]), permission }
}

/** An id that no operator has. */
const NO_OPERATOR = 0

/** Whether a permission is granted in a project; without a project, anywhere. */
export function holds(grants: Grants, permission: Permission | null, projectId: number | null): boolean {
  if (permission === null || grants.install.has(permission)) return true
  if (projectId !== null) return grants.projects.get(projectId)?.has(permission) ?? false
  return [...grants.projects.values()].some((granted) => granted.has(permission))
}

/** The topic of a message, and who may read it: holders of the permission, or one operator alone. */
export type Audience = {
  readonly topics: string[]
  readonly permission: Permission | null
  readonly operatorId?: number | undefined
}

/** What the topics of changed figures need. */
export const ANALYTICS_PERMISSION = 'analytics:read' satisfies Permission

/** The topics on which a change of a project's figures is named. */
export function analyticsTopics(projectId: number): readonly string[] {
  return [`project:${projectId}:analytics`, 'project:all:analytics']
}

/** The topics of a message, and who may read it. */
export function topicsOf(message: {
  readonly name: string
  readonly projectId: number | null
  readonly operatorId?: number | undefined
  readonly referenceId?: string
}): Audience {
  const [noun] = message.name.split('.')
  if (noun === 'operator') return { topics: ['me'], permission: null, operatorId: message.operatorId ?? NO_OPERATOR }
  const { projectId, referenceId } = message
  if (noun === 'payment' && projectId !== null) {
    const one = referenceId === undefined ? [] : [`project:${projectId}:payment:${referenceId}`]
    return { topics: [`project:${projectId}:payments`, 'project:all:payments', ...one], permission: 'payment:read' }
  }
  if (noun === 'payout' && projectId !== null) {
    return { topics: [`project:${projectId}:payouts`, 'project:all:payouts'], permission: 'payout:read' }
  }
  if (noun === 'delivery' && projectId !== null) {
    return { topics: [`project:${projectId}:deliveries`, 'project:all:deliveries'], permission: 'webhook:read' }
  }
  if (noun === 'bulk-job' && projectId !== null) {
    return { topics: [`project:${projectId}:bulk-jobs`, 'project:all:bulk-jobs'], permission: 'project:read' }
  }
  if (noun === 'sweep') return { topics: ['sweeps'], permission: 'sweep:read' }
  if ((noun === 'referral' || noun === 'campaign') && projectId !== null) {
    return { topics: [`project:${projectId}:referral`, 'project:all:referral'], permission: 'referral:read' }
  }
  if (noun === 'vault') return { topics: ['system:vaults'], permission: 'vault:read' }
  if (noun === 'blockchain') return { topics: ['system:chains'], permission: 'blockchain:read' }
  if (noun === 'worker') return { topics: ['system:workers'], permission: 'system:read' }
  return { topics: ['me'], permission: 'project:read' }
}
