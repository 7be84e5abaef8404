/**
 * Operators are the people who sign in to the dashboard. Each holds one role for the whole install or one role per project;
 * only the roles decide what they may do (api.md 3).
 */
import { ERRORS } from '@kassa/contract/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ChangeMe, FactorMethod } from '@kassa/contract/operators/schemas.ts'
import type { Permission, RoleName } from '@kassa/contract/permissions.ts'

import { type Context, type Grants, inTransaction } from '../../../context.ts'
import { listAllRoles, type Role, roleNamed } from '../roles/service.ts'
import {
  isRoot,
  mayKnow,
  mayManage,
  permissionsOfRole,
  permissionsOfRoles,
  type RoleAssignment,
  roleId,
} from '../roles/rules.ts'
import type { OperatorRoleRow } from '../roles/tables.ts'
import {
  findOperatorByAddress,
  findOperatorById,
  insertOperator,
  isHeldByAnother,
  isInstallRoleAssigned,
  listEmailsOfRole,
  listActiveProjects,
  listRoles,
  listRolesIn,
  lockMembers,
  lockOperatorRow,
  updateChosenPassword,
  updateLastSeen,
  updateOwnFacts,
  updatePasswordHash,
  updateResetRequired,
  updateSecondFactors,
  upsertRole,
} from './store.ts'
import type { OperatorRow } from './tables.ts'

export { displayOf } from './display.ts'
export type { Role } from '../roles/service.ts'
export { type MemberWithRoles, memberView, operatorView, rolesView } from './view.ts'
export type { OperatorRoleRow } from '../roles/tables.ts'
export type { OperatorRow } from './tables.ts'

/** The first account's id on the wire; scripts of existing clients look for it. */
const ROOT_CUSTOMER_ID = 'root'

const TAKEN = ERRORS.USERNAME_TAKEN.message

/** Finds an operator; null when there is none of this id or it was deleted. */
export async function findOperator(ctx: Context, id: number): Promise<OperatorRow | null> {
  return (await findOperatorById(ctx, id)) ?? null
}

/** Finds an operator by e-mail address, whatever its case. */
export async function findOperatorByEmail(ctx: Context, email: string): Promise<OperatorRow | null> {
  return (await findOperatorByAddress(ctx, email.toLowerCase())) ?? null
}

/**
 * Changes members under a lock: no other change of members runs until the transaction ends, so that what roles decided still
 * holds when it is written (decision 0030). A caller who lost access meanwhile is refused. @throws UNAUTHORIZED
 */
export async function changingMembers<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    await lockMembers(tx)
    const { caller } = tx
    if (caller.kind === 'operator' && (await findOperatorById(tx, caller.operatorId))?.state !== 'active') {
      return fail('UNAUTHORIZED')
    }
    return work(tx)
  })
}

/**
 * Returns an operator whom the caller may manage: never the caller, and otherwise as the roles of both decide. The program
 * itself may manage everybody. Every route that changes an operator calls this.
 * @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS
 */
export async function getManaged(ctx: Context, id: number): Promise<OperatorRow> {
  const operator = (await findOperatorById(ctx, id)) ?? fail('MEMBER_NOT_FOUND')
  const { caller } = ctx
  if (caller.kind === 'system') return operator
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  if (caller.operatorId === id) return fail('CANNOT_CHANGE_SELF')
  const own = await assignmentsOf(ctx, caller.operatorId)
  const others = await assignmentsOf(ctx, id)
  if (mayManage(own, others)) return operator
  return fail(mayKnow(own, others) ? 'ROLE_ABOVE_YOURS' : 'MEMBER_NOT_FOUND')
}

/**
 * Whether a link to a member's account still counts for the administrator who saw it: they are active and may manage the member, by the
 * present roles of both.
 */
export async function isStillManaged(ctx: Context, member: number, by: number): Promise<boolean> {
  if ((await findOperatorById(ctx, by))?.state !== 'active') return false
  return mayManage(await assignmentsOf(ctx, by), await assignmentsOf(ctx, member))
}

/** Whether the caller may read mails to an address: it is their own, that of a member they may manage, or no member's. */
export async function mayReadMailTo(ctx: Context, email: string): Promise<boolean> {
  const { caller } = ctx
  const operator = await findOperatorByEmail(ctx, email)
  if (!operator || caller.kind === 'system') return true
  if (caller.kind !== 'operator') return false
  if (caller.operatorId === operator.id) return true
  return mayManage(await assignmentsOf(ctx, caller.operatorId), await assignmentsOf(ctx, operator.id))
}

/**
 * The same, for changes that take access from a root: the last root who can sign in stays. Call it in `changingMembers`.
 * @throws LAST_ROOT, and as `getManaged`
 */
export async function getRemovable(ctx: Context, id: number): Promise<OperatorRow> {
  const isOwn = ctx.caller.kind === 'operator' && ctx.caller.operatorId === id
  const operator = isOwn ? await findOperatorById(ctx, id) : await getManaged(ctx, id)
  if (operator?.state === 'active' && isRoot(await assignmentsOf(ctx, id))) {
    if (!(await isHeldByAnother(ctx, roleId('root'), id))) return fail('LAST_ROOT')
  }
  return isOwn || !operator ? fail('CANNOT_CHANGE_SELF') : operator
}

/** Lists what the roles of an operator permit, each where it is held. */
export async function assignmentsOf(ctx: Context, operatorId: number): Promise<RoleAssignment[]> {
  return (await listRoles(ctx, operatorId)).map(assignmentOf)
}

/**
 * Changes what an operator may change of themselves and emits operator.changed; an empty username or language is none.
 * @throws USERNAME_TAKEN, UNAUTHORIZED
 */
export async function changeOperator(ctx: Context, id: number, change: ChangeMe): Promise<OperatorRow> {
  const { name, username, locale, display } = change
  const own = { name, username: noneIfEmpty(username), locale: noneIfEmpty(locale), display }
  return inTransaction(ctx, async (tx) => {
    const changed = await changeOwnFacts(tx, id, own)
    const payload = { memberID: id, email: changed.email }
    await tx.events.emit(tx, { type: 'operator.changed', projectId: null, payload })
    return changed
  })
}

async function changeOwnFacts(
  ctx: Context,
  id: number,
  own: Parameters<typeof updateOwnFacts>[2],
): Promise<OperatorRow> {
  const changed = await updateOwnFacts(ctx, id, own).catch((error: unknown) => {
    // Two operators chose it at once, and the unique index accepts one. After that failure the transaction cannot query any
    // more.
    if (isNamed(error, 'operators_username_once')) return refuseUsername()
    throw error
  })
  if (changed) return changed
  // An operator who was deleted meanwhile cannot be changed, even when another account has the username.
  const isThere = (await findOperatorById(ctx, id)) !== undefined
  return isThere ? refuseUsername() : fail('UNAUTHORIZED')
}

/** An absent text keeps what there is; an empty one is none. */
function noneIfEmpty(text: string | null | undefined): string | null | undefined {
  return text === undefined ? undefined : text || null
}

function refuseUsername(): never {
  return fail('USERNAME_TAKEN', { fields: { username: TAKEN } })
}

function isNamed(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === constraint
}

/** Reads an operator and locks the row until the transaction ends; null when there is none. */
export async function lockOperator(ctx: Context, id: number): Promise<OperatorRow | null> {
  return (await lockOperatorRow(ctx, id)) ?? null
}

/**
 * Gives an operator a new password, whatever the earlier one was, and ends the duty to choose one; an invited operator becomes
 * active. Joins the open transaction.
 */
export async function choosePassword(
  ctx: Context,
  change: { readonly operatorId: number; readonly passwordHash: string },
): Promise<void> {
  await updateChosenPassword(ctx, change)
}

/** Makes an operator choose a password before anything else; null when there is none of this id. */
export async function requireNewPassword(ctx: Context, operatorId: number): Promise<OperatorRow | null> {
  return (await updateResetRequired(ctx, operatorId)) ?? null
}

/** Stores which second factors an operator has, for every request to read. Joins the open transaction. */
export async function storeSecondFactors(
  ctx: Context,
  operatorId: number,
  methods: readonly FactorMethod[],
): Promise<void> {
  await updateSecondFactors(ctx, operatorId, methods)
}

function assignmentOf({ project_id, role_id, permissions }: OperatorRoleRow): RoleAssignment {
  const place = project_id === null ? 'install' : 'project'
  return { projectId: project_id, roleId: role_id, permissions: permissionsOfRole(role_id, permissions, place) }
}

/** The e-mail addresses of the roots, for news that concerns all of them. */
export function rootEmails(ctx: Context): Promise<string[]> {
  return listEmailsOfRole(ctx, roleId('root'), null)
}

/** The e-mail addresses of those who lead a project, for news that concerns all of them. */
export function leadEmails(ctx: Context, projectId: number): Promise<string[]> {
  return listEmailsOfRole(ctx, roleId('project_lead'), projectId)
}

/** Whether the first account exists. */
export async function rootExists(ctx: Context): Promise<boolean> {
  return isInstallRoleAssigned(ctx, roleId('root'))
}

/**
 * Creates the first account and emits operator.created; null when there is one already. Of two simultaneous calls one gets
 * null.
 */
export async function createRoot(
  ctx: Context,
  account: { readonly email: string; readonly passwordHash: string },
): Promise<OperatorRow | null> {
  return inTransaction(ctx, async (tx) => {
    const operator = await insertOperator(tx, { ...account, customerId: ROOT_CUSTOMER_ID })
    if (!operator) return null
    await upsertRole(tx, { operatorId: operator.id, projectId: null, roleId: roleId('root') })
    await tx.events.emit(tx, {
      type: 'operator.created',
      projectId: null,
      payload: { memberID: operator.id, email: operator.email, role: 'root' },
    })
    return operator
  })
}

/** Returns what an operator may do, as the access check reads it. */
export async function grantsOf(ctx: Context, operatorId: number): Promise<Grants> {
  return permissionsOfRoles(await assignmentsOf(ctx, operatorId))
}

/** Lists the members who can sign in and hold a permission in a project, each with all that they hold there. */
export async function listPermitted(
  ctx: Context,
  projectId: number,
  permission: Permission,
): Promise<{ readonly operatorId: number; readonly permissions: readonly Permission[] }[]> {
  return (await listRolesIn(ctx, projectId))
    .map((row) => ({ operatorId: row.operator_id, permissions: assignmentOf(row).permissions }))
    .filter(({ permissions }) => permissions.includes(permission))
}

/** Lists the roles of an operator, the install-wide one first. */
export async function rolesOf(ctx: Context, operatorId: number): Promise<OperatorRoleRow[]> {
  return listRoles(ctx, operatorId)
}

/** A project an operator works in, with the role there. */
export type OperatorProject = { readonly id: number; readonly name: string; readonly roleId: number }

/** Lists the active projects that these roles cover, each with its role; an install-wide role covers every one. */
export async function projectsOfRoles(ctx: Context, roles: readonly OperatorRoleRow[]): Promise<OperatorProject[]> {
  const everywhere = roles.find((role) => role.project_id === null)
  const inProject = new Map(
    roles.flatMap((role) => (role.project_id === null ? [] : [[role.project_id, role.role_id]])),
  )
  const projects = await listActiveProjects(ctx, everywhere ? 'every' : [...inProject.keys()])
  return projects.flatMap((project) => {
    const assigned = inProject.get(project.id) ?? everywhere?.role_id
    return assigned === undefined ? [] : [{ ...project, roleId: assigned }]
  })
}

/**
 * Gives an operator a role in one project, replacing the former one; an operator with a role for the whole install keeps
 * only that. Joins the open transaction.
 */
export async function addProjectRole(
  ctx: Context,
  { operatorId, projectId, role }: { readonly operatorId: number; readonly projectId: number; readonly role: RoleName },
): Promise<void> {
  await lockMembers(ctx)
  const assigned = await listRoles(ctx, operatorId)
  if (assigned.some((row) => row.project_id === null)) return
  await upsertRole(ctx, { operatorId, projectId, roleId: roleId(role) })
}

/** Returns the name of every role by its id. */
export async function roleNames(ctx: Context): Promise<Map<number, string>> {
  return new Map((await listAllRoles(ctx)).map(({ id, name }) => [id, name]))
}

/** Returns a role by id, built-in or custom. @throws Error when there is none */
export async function roleOf(ctx: Context, id: number): Promise<Role> {
  const role = await roleNamed(ctx, { roleID: id })
  if (!role) throw new Error(`There is no role ${id}`)
  return role
}

/**
 * Replaces an operator's password hash and ends the duty to choose a password; false when `from` is no longer the hash. Joins
 * the open transaction.
 */
export async function replacePassword(
  ctx: Context,
  change: { readonly operatorId: number; readonly from: string; readonly to: string },
): Promise<boolean> {
  return updatePasswordHash(ctx, change)
}

/** Stores that an operator was active now. */
export async function markSeen(ctx: Context, operatorId: number): Promise<void> {
  await updateLastSeen(ctx, operatorId)
}
