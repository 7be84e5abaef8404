import type { FactorPolicy } from '@kassa/contract/settings/keys.ts'

import type { Context, Grants } from '../../../context.ts'
import {
  grantsOf,
  type OperatorProject,
  projectsOfRoles,
  type Role,
  roleOf,
  rolesOf,
} from '../../operators/accounts/service.ts'
import type { OperatorRoleRow, OperatorRow } from '../../operators/accounts/service.ts'
import { factorPolicy, numberSetting } from '../../settings/service.ts'
import { issueToken } from '../passwords/service.ts'
import { newSessionCredentials } from '../sessions/credentials.ts'
import { sessionTimes } from '../sessions/rules.ts'
import { idleMinutes } from '../sessions/service.ts'
import { insertSession } from '../sessions/store.ts'
import type { ProofMethod, SessionRow } from '../sessions/tables.ts'

/** Where a session was opened from. */
export type Origin = {
  readonly ip: string
  readonly network: string
  readonly userAgent: string
  /** What was shown; the password alone when absent. */
  readonly factors?: readonly ProofMethod[]
}

/** A session that was just opened: the only moment its credentials are known as text. */
export type OpenedSession = {
  readonly session: SessionRow
  readonly key: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly operator: OperatorRow
  readonly roles: readonly OperatorRoleRow[]
  /** The first of them. */
  readonly role: Role | null
  readonly grants: Grants
  readonly projects: readonly OperatorProject[]
  readonly factorPolicy: FactorPolicy
  /** Token with which an operator who must choose a password does so (api.md 2.4); else null. */
  readonly passwordToken: string | null
}

/** Opens a session for an operator who has just proved their identity, which opens the step-up window too. */
export async function openSession(ctx: Context, operator: OperatorRow, origin: Origin): Promise<OpenedSession> {
  const now = ctx.now()
  const restricted = operator.reset_password_required
  const { factors = ['password'] } = origin
  const withFactor = factors.some((factor) => factor !== 'password')
  const times = sessionTimes(now, await sessionPolicy(ctx), { restricted, withFactor })
  const { key, access, refresh } = newSessionCredentials()
  const session = await insertSession(ctx, {
    operator_id: operator.id,
    key_hash: key.hash,
    access_hash: access.hash,
    access_expires_at: times.accessExpiresAt,
    refresh_hash: refresh.hash,
    refresh_expires_at: times.refreshExpiresAt,
    restricted,
    factors: [...factors],
    ip_address: origin.ip,
    network: origin.network,
    user_agent: origin.userAgent,
    step_up_until: times.stepUpUntil,
    last_seen_at: now,
    idle_expires_at: times.idleExpiresAt,
    expires_at: times.expiresAt,
    created_at: now,
  })
  ctx.change(null, null, { actor: { operatorId: operator.id, email: operator.email, sessionId: session.id } })
  const roles = await rolesOf(ctx, operator.id)
  const [first] = roles
  const token = restricted ? await issueToken(ctx, operator.id, { purpose: 'temporary', issuedBy: null }) : null
  return {
    session,
    key: key.text,
    accessToken: access.text,
    refreshToken: refresh.text,
    operator,
    roles,
    role: first ? await roleOf(ctx, first.role_id) : null,
    grants: await grantsOf(ctx, operator.id),
    projects: await projectsOfRoles(ctx, roles),
    factorPolicy: await factorPolicy(ctx),
    passwordToken: token?.text ?? null,
  }
}

/** Reads how long sessions live. */
async function sessionPolicy(ctx: Context): Promise<{ idleMinutes: number; absoluteHours: number }> {
  return {
    idleMinutes: await idleMinutes(ctx),
    absoluteHours: await numberSetting(ctx, 'security.session_absolute_hours'),
  }
}
