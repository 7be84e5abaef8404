/**
 * Changes of a member's row (api.md O): added, changed, revoked, activated, deleted. The module `auth` handles sessions and
 * links.
 */
import { ERRORS } from '@kassa/contract/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ChangeMember } from '@kassa/contract/operators/member-schemas.ts'
import { memberMachine } from '@kassa/contract/operators/machine.ts'

import type { Context } from '../../../context.ts'
import { changingMembers, getManaged, getRemovable } from '../accounts/service.ts'
import type { OperatorRow } from '../accounts/tables.ts'
import { type RoleChoice, storeRoles } from './assign-roles.ts'
import {
  deleteRoles,
  findTaken,
  insertMember,
  moveToActive,
  moveToDeleted,
  moveToInactive,
  updateFacts,
} from './store.ts'

export { roleChosen } from './assign-roles.ts'
export { findMembers } from './search-members.ts'

type Taken = 'email' | 'username'

/** Refuses an e-mail or a username that another member has. @throws MEMBER_EXISTS, USERNAME_TAKEN */
function refuseTaken(taken: Taken | null): void {
  if (taken === 'email') fail('MEMBER_EXISTS', { fields: { email: ERRORS.MEMBER_EXISTS.message } })
  if (taken === 'username') fail('USERNAME_TAKEN', { fields: { username: ERRORS.USERNAME_TAKEN.message } })
}

export type AddedMember = {
  readonly email: string
  readonly name: string
  readonly username: string | null
  /** Null for a member who is invited to choose one. */
  readonly passwordHash: string | null
}

/**
 * Adds a member with a role and emits operator.created. Call it in `changingMembers`.
 * @throws MEMBER_EXISTS, USERNAME_TAKEN
 */
export async function addMember(ctx: Context, member: AddedMember, choice: RoleChoice): Promise<OperatorRow> {
  refuseTaken(await findTaken(ctx, { id: 0, email: member.email, username: member.username }))
  const operator = (await insertMember(ctx, member)) ?? fail('MEMBER_EXISTS')
  await storeRoles(ctx, operator.id, choice)
  const payload = { memberID: operator.id, email: operator.email, role: choice.role.name }
  ctx.change(null, { ...payload, projectIDs: choice.projectIds })
  await ctx.events.emit(ctx, { type: 'operator.created', projectId: null, payload })
  return operator
}

/**
 * Changes the name, username or e-mail of a member and emits operator.changed; returns the earlier e-mail. Call it in
 * `changingMembers`.
 * @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS, MEMBER_EXISTS, USERNAME_TAKEN
 */
export async function changeFacts(
  ctx: Context,
  id: number,
  { name, username, email }: ChangeMember,
): Promise<{ readonly operator: OperatorRow; readonly formerEmail: string }> {
  const former = await getManaged(ctx, id)
  const facts = { name, email, username: username === undefined ? undefined : username || null }
  refuseTaken(await findTaken(ctx, { id, email, username: facts.username }))
  const operator = await updateFacts(ctx, id, facts)
  ctx.change(shown(former), shown(operator))
  const payload = { memberID: id, email: operator.email, formerEmail: former.email }
  await ctx.events.emit(ctx, { type: 'operator.changed', projectId: null, payload })
  return { operator, formerEmail: former.email }
}

/**
 * Takes all access from a member and emits operator.revoked; does nothing for a member without access. Call it in
 * `changingMembers`. @throws MEMBER_NOT_FOUND, LAST_ROOT, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS
 */
export async function takeAccess(ctx: Context, id: number): Promise<OperatorRow> {
  const member = await getRemovable(ctx, id)
  const operator = await moveToInactive(ctx, id, memberMachine.moves.revoke.from.filter(isStored))
  if (!operator) return member
  ctx.change(shown(member), shown(operator))
  await ctx.events.emit(ctx, {
    type: 'operator.revoked',
    projectId: null,
    payload: { memberID: id, email: operator.email },
  })
  return operator
}

/** What the activity log shows of a member. */
function shown({ id, email, name, username, state }: OperatorRow) {
  return { id, email, name, username, state }
}

function isStored(state: string): state is OperatorRow['state'] {
  return state !== 'deleted'
}

/**
 * Takes a member's role in one project away and emits operator.roles_changed; does nothing when there is none.
 * @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS
 */
export async function dropProjectRole(ctx: Context, id: number, projectId: number): Promise<OperatorRow> {
  return changingMembers(ctx, async (tx) => {
    const operator = await getManaged(tx, id)
    if ((await deleteRoles(tx, id, projectId)) === 0) return operator
    const payload = { memberID: id, role: null, projectIDs: [projectId] }
    tx.change(null, payload, { projectId })
    await tx.events.emit(tx, { type: 'operator.roles_changed', projectId: null, payload })
    return operator
  })
}

/**
 * Restores a member's access and emits operator.activated; does nothing for a member with access.
 * @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS
 */
export async function activateMember(ctx: Context, id: number): Promise<OperatorRow> {
  return changingMembers(ctx, async (tx) => {
    const member = await getManaged(tx, id)
    const operator = await moveToActive(tx, id)
    if (!operator) return member
    tx.change(shown(member), shown(operator))
    const payload = { memberID: id, email: operator.email }
    await tx.events.emit(tx, { type: 'operator.activated', projectId: null, payload })
    return operator
  })
}

/**
 * Deletes a member and emits operator.deleted: the row stays, the e-mail is free again. Call it in `changingMembers`.
 * @throws MEMBER_NOT_FOUND, LAST_ROOT, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS
 */
export async function deleteMember(ctx: Context, id: number): Promise<void> {
  const member = await getRemovable(ctx, id)
  await moveToDeleted(ctx, id)
  ctx.change(shown(member), null)
  const payload = { memberID: id, email: member.email }
  await ctx.events.emit(ctx, { type: 'operator.deleted', projectId: null, payload })
}
