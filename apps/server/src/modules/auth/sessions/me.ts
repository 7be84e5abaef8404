import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ChangeMe } from '@kassa/contract/operators/schemas.ts'
import type { Context } from '../../../context.ts'
import {
  changeOperator,
  findOperator,
  type MemberWithRoles,
  roleNames,
  rolesOf,
} from '../../operators/accounts/service.ts'
import type { OperatorRow } from '../../operators/accounts/service.ts'
import { findSessionById } from './store.ts'
import type { SessionRow } from './tables.ts'

/** An operator with the roles, and the names of all roles. */
export type OperatorWithRoles = MemberWithRoles & { readonly names: ReadonlyMap<number, string> }

/** The signed-in operator with the calling session. */
export type SignedInOperator = OperatorWithRoles & {
  readonly session: SessionRow
  /** When the session ends unless it is used or renewed before. */
  readonly endsAt: Date
}

/** Adds the roles to an operator. */
export async function operatorWithRoles(ctx: Context, operator: OperatorRow): Promise<OperatorWithRoles> {
  return { operator, roles: await rolesOf(ctx, operator.id), names: await roleNames(ctx) }
}

/** Reads the signed-in operator again. @throws UNAUTHORIZED when the caller is not an operator's session */
export async function readMe(ctx: Context): Promise<SignedInOperator> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  const operator = await findOperator(ctx, caller.operatorId)
  const session = await findSessionById(ctx, caller.sessionId)
  if (!operator || !session) return fail('UNAUTHORIZED')
  const { idle_expires_at: keyEnd, access_expires_at: accessEnd } = session
  const endsAt = keyEnd > ctx.now() ? keyEnd : (accessEnd ?? keyEnd)
  return { ...(await operatorWithRoles(ctx, operator)), session, endsAt }
}

/** Changes the calling operator's own facts and emits operator.changed. @throws USERNAME_TAKEN */
export async function changeMe(ctx: Context, change: ChangeMe): Promise<OperatorWithRoles> {
  if (ctx.caller.kind !== 'operator') return fail('UNAUTHORIZED')
  const operator = await changeOperator(ctx, ctx.caller.operatorId, change)
  const { name, username, locale } = operator
  ctx.change(null, { name, username, locale, ...change.display })
  return operatorWithRoles(ctx, operator)
}
