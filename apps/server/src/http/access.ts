import { fail } from '@kassa/contract/kit/api-error.ts'
import { permissionsOfAccess, type Route } from '@kassa/contract/kit/route.ts'
import type { STEP_UP_METHODS } from '@kassa/contract/auth/schemas.ts'
import { PERMISSIONS, type Permission } from '@kassa/contract/permissions.ts'
import type { Caller, Context, ProjectScope } from '../context.ts'

/** What the access check needs to know of a project; null when there is none of this id. */
export type ProjectFacts = { readonly id: number; readonly name: string; readonly isArchived: boolean }

export type ProjectLookup = (ctx: Context, projectId: number) => Promise<ProjectFacts | null>

/** Archived projects and `all` can be read, but not written to (api.md 1.9). */
export type AccessQuestion = {
  readonly route: Route
  readonly caller: Caller | null
  /** The `{p}` of the path, when the route has one. */
  readonly project: string | undefined
  readonly isWrite: boolean
  /** The call carries a token for its action, which is checked inside its transaction. */
  readonly isBound?: boolean
  readonly now: Date
}

/**
 * Decides whether the caller may use the route, and on which projects.
 * @throws UNAUTHORIZED, RESET_PASSWORD_REQUIRED, SECOND_FACTOR_SETUP_REQUIRED, FORBIDDEN, STEP_UP_REQUIRED,
 * PROJECT_NOT_FOUND, PROJECT_REQUIRED, PROJECT_ARCHIVED, PROJECT_CONTEXT_MISSING, REFERRAL_TOKEN_INVALID
 */
export async function checkAccess(
  ctx: Context,
  findProject: ProjectLookup,
  question: AccessQuestion,
): Promise<{ readonly caller: Caller; readonly scope: ProjectScope }> {
  const { route, caller } = question
  if (route.access.public || route.access.reference) {
    return { caller: caller ?? { kind: 'anonymous' }, scope: { projectId: null, projectIds: [] } }
  }
  if (route.access.referral) return promoterAccess(ctx, findProject, question)
  if (caller === null || caller.kind === 'anonymous' || caller.kind === 'promoter') return fail('UNAUTHORIZED')
  if (caller.kind === 'key') return { caller, scope: await keyScope(ctx, findProject, question, caller) }
  if (caller.kind === 'device') return { caller, scope: await deviceScope(ctx, findProject, question) }
  if (caller.kind === 'operator') return { caller, scope: await operatorScope(ctx, findProject, question, caller) }
  return { caller, scope: { projectId: null, projectIds: 'every' } }
}

/** A promoter acts in their own project; other callers may not call these routes. */
async function promoterAccess(ctx: Context, findProject: ProjectLookup, { caller, isWrite }: AccessQuestion) {
  if (caller?.kind !== 'promoter') return fail('REFERRAL_TOKEN_INVALID')
  const { projectId } = caller
  if (isWrite && (await findProject(ctx, projectId))?.isArchived !== false) return fail('PROJECT_ARCHIVED')
  return { caller, scope: { projectId, projectIds: [projectId] } }
}

type ProofMethod = (typeof STEP_UP_METHODS)[number]
type KeyCaller = Extract<Caller, { kind: 'key' }>
type OperatorCaller = Extract<Caller, { kind: 'operator' }>

async function keyScope(
  ctx: Context,
  findProject: ProjectLookup,
  { route, project, isWrite }: AccessQuestion,
  caller: KeyCaller,
): Promise<ProjectScope> {
  const { scope } = route.access
  if (scope === undefined) return forbid(asked(route, ['an operator']), 'this install', 'Sign in as an operator.')
  if (!caller.scopes.has(scope)) return forbid([scope], 'this project', 'Create an API key with this scope.')
  if (project !== undefined && project !== 'all' && project !== String(caller.projectId))
    return fail('PROJECT_NOT_FOUND')
  const found = await findProject(ctx, caller.projectId)
  if (!found) return fail('PROJECT_NOT_FOUND')
  if (found.isArchived && isWrite) return fail('PROJECT_ARCHIVED')
  return { projectId: caller.projectId, projectIds: [caller.projectId] }
}

/** A device signs for every project, on the routes for devices only. */
async function deviceScope(
  ctx: Context,
  findProject: ProjectLookup,
  { route, project }: AccessQuestion,
): Promise<ProjectScope> {
  if (!route.access.device) return forbid(asked(route, ['an operator']), 'this install', 'Sign in as an operator.')
  if (project === undefined || project === 'all') return { projectId: null, projectIds: 'every' }
  const found = /^[1-9]\d{0,8}$/.test(project) ? await findProject(ctx, Number(project)) : null
  return found ? { projectId: found.id, projectIds: [found.id] } : fail('PROJECT_NOT_FOUND')
}

async function operatorScope(
  ctx: Context,
  findProject: ProjectLookup,
  question: AccessQuestion,
  caller: OperatorCaller,
): Promise<ProjectScope> {
  const { route, project, isWrite } = question
  if (caller.restricted && !route.access.restricted) return fail('RESET_PASSWORD_REQUIRED')
  if (caller.missingFactor === 'always' && !route.access.enrolment) return fail('SECOND_FACTOR_SETUP_REQUIRED')
  // Existing clients call merchant routes with a session to test it, and read this answer (api.md 10).
  if (route.access.permission === undefined && !route.access.operator) return fail('PROJECT_CONTEXT_MISSING')
  const projectIds = visibleProjects(caller, asked(route, ['project:read']))
  const scope =
    project === undefined
      ? withoutProject(route, caller, projectIds)
      : await withProject(ctx, findProject, question, caller, projectIds)
  const { stepUp } = route.access
  const isDecidedLater = stepUp === 'M' && question.isBound === true
  if (stepUp !== undefined && !isDecidedLater) requireWindow(caller, { stepUp, action: route.id, now: question.now })
  if (isWrite && project === 'all') return fail('PROJECT_REQUIRED')
  return scope
}

/** The permissions that open the route; one of them is enough. */
function asked<Other extends string>(
  { access }: Route,
  otherwise: readonly Other[],
): readonly Permission[] | readonly Other[] {
  const permissions = permissionsOfAccess(access)
  return permissions.length > 0 ? permissions : otherwise
}

/** The projects in which the operator holds one of the permissions. */
function visibleProjects(caller: OperatorCaller, wanted: readonly Permission[]): readonly number[] | 'every' {
  if (wanted.some((permission) => caller.grants.everywhere.has(permission))) return 'every'
  const holds = (permissions: ReadonlySet<Permission>) => wanted.some((permission) => permissions.has(permission))
  return [...caller.grants.projects].filter(([, permissions]) => holds(permissions)).map(([id]) => id)
}

/** The projects in which the caller holds a permission; null where they hold it nowhere. */
export function grantedScope(caller: Caller, permission: Permission): ProjectScope | null {
  if (caller.kind === 'system') return { projectId: null, projectIds: 'every' }
  if (caller.kind !== 'operator') return null
  const projectIds = visibleProjects(caller, [permission])
  return isGrantedAnywhere(caller, permission, projectIds) ? { projectId: null, projectIds } : null
}

/**
 * The part of a call's projects in which its caller holds one more permission, for routes that several permissions open; null
 * where they hold it in none of them. A permission for the whole install leaves the projects as they are.
 */
export function narrowScope(caller: Caller, scope: ProjectScope, permission: Permission): ProjectScope | null {
  const granted = grantedScope(caller, permission)
  if (granted === null || granted.projectIds === 'every' || PERMISSIONS[permission].scope === 'install') {
    return granted && scope
  }
  const { projectIds: held } = granted
  const projectIds = scope.projectIds === 'every' ? held : scope.projectIds.filter((id) => held.includes(id))
  return projectIds.length === 0 ? null : { ...scope, projectIds }
}

function withoutProject(route: Route, caller: OperatorCaller, projectIds: ProjectScope['projectIds']): ProjectScope {
  const wanted = permissionsOfAccess(route.access)
  const isGranted = wanted.some((permission) => isGrantedAnywhere(caller, permission, projectIds))
  if (wanted.length > 0 && !isGranted) return forbid(wanted, 'this install')
  return { projectId: null, projectIds }
}

function isGrantedAnywhere(
  { grants }: OperatorCaller,
  permission: Permission,
  projectIds: ProjectScope['projectIds'],
): boolean {
  if (PERMISSIONS[permission].scope === 'project') {
    return projectIds === 'every' || projectIds.length > 0 || permission === 'project:read'
  }
  return (
    grants.install.has(permission) || [...grants.projects.values()].some((permissions) => permissions.has(permission))
  )
}

async function withProject(
  ctx: Context,
  findProject: ProjectLookup,
  { route, project, isWrite }: AccessQuestion,
  caller: OperatorCaller,
  projectIds: ProjectScope['projectIds'],
): Promise<ProjectScope> {
  if (project === 'all') return { projectId: null, projectIds }
  const id = project !== undefined && /^[1-9]\d{0,8}$/.test(project) ? Number(project) : null
  const found = id === null ? null : await findProject(ctx, id)
  if (!found || !mayKnow(caller, found.id)) return fail('PROJECT_NOT_FOUND')
  if (projectIds !== 'every' && !projectIds.includes(found.id)) {
    return forbid(asked(route, ['project:read']), found.name)
  }
  if (found.isArchived && isWrite && !route.access.archived) return fail('PROJECT_ARCHIVED')
  return { projectId: found.id, projectIds: [found.id] }
}

function mayKnow(caller: OperatorCaller, projectId: number): boolean {
  return caller.grants.install.has('project:read') || caller.grants.projects.has(projectId)
}

type Presence = { readonly stepUp: 'S' | 'M'; readonly action: string; readonly now: Date }

/**
 * Refuses an operator who has not recently proved presence (api.md 2.7). Routes that always need it declare `access.stepUp`;
 * routes that need it for some inputs call this. For `M` the window is enough only for an operator who has no second factor and
 * needs none; all others confirm the single action.
 * @throws STEP_UP_REQUIRED, SECOND_FACTOR_SETUP_REQUIRED
 */
export function requirePresence(caller: Caller, asked: Presence): void {
  if (caller.kind !== 'operator') return
  if (asked.stepUp === 'M') {
    requireFactorForMoney(caller)
    if (caller.secondFactors.length > 0) refusePresence(caller, asked)
  }
  requireWindow(caller, asked)
}

/** Refuses an operator without a second factor where money may not move without one. @throws SECOND_FACTOR_SETUP_REQUIRED */
export function requireFactorForMoney(caller: Caller): void {
  if (caller.kind === 'operator' && caller.missingFactor !== null) fail('SECOND_FACTOR_SETUP_REQUIRED')
}

function requireWindow(caller: OperatorCaller, asked: Presence): void {
  const isOpen = caller.stepUpUntil !== null && caller.stepUpUntil > asked.now
  if (!isOpen) refusePresence(caller, asked)
}

/** Asks an operator for proof of presence, by the factors they have. @throws STEP_UP_REQUIRED */
export function refusePresence(caller: OperatorCaller, { stepUp, action }: Omit<Presence, 'now'>): never {
  return fail('STEP_UP_REQUIRED', {
    details: 'Show again that it is you; then the same call goes through.',
    data: { class: stepUp, action, methods: proofMethods(caller) },
  })
}

/** The methods by which an operator proves presence: a second factor replaces the password once there is one. */
export function proofMethods({ secondFactors }: Pick<OperatorCaller, 'secondFactors'>): ProofMethod[] {
  return secondFactors.length > 0 ? [...secondFactors] : ['password']
}

/** Names the first of the alternatives in `data`, for programs, and all of them in the text, for people. */
function forbid(wanted: readonly string[], project: string, details?: string): never {
  const [permission = ''] = wanted
  return fail('FORBIDDEN', {
    values: { permission: wanted.join(' or '), project },
    ...(details && { details }),
    data: { permission, project },
  })
}
