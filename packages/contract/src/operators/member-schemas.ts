/** Members as administrators see them, and their roles (api.md O). */
import * as z from 'zod/mini'

import { Attribute, id, int, ts } from '../kit/codecs.ts'
import { clearableText, oneOf, text } from '../kit/fields.ts'
import { alternatives, pageInput } from '../kit/paging.ts'
import { ROLE_PLACES, type RolePlace } from '../permissions.ts'
import { isHeldIn } from './role-places.ts'
import { newPassword, Operator, operatorEmail, OperatorState } from './schemas.ts'

/** The member in a path. */
export const memberPath = z.object({ id })

/** A role of members: a built-in one, or a custom one from id 100 on. */
export const Role = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  permissions: z.array(z.string()),
  members: z.null(),
  scope: z.enum(ROLE_PLACES),
  /** Where it may be assigned. */
  places: z.array(z.enum(ROLE_PLACES)),
  builtIn: z.boolean(),
})
export type Role = z.output<typeof Role>

/** The roles of one member, each with its place; a null project is the whole install. */
export const AssignedRoles = z.object({
  roles: z.array(z.object({ roleID: id, role: Role, externalPlatformID: z.nullable(id), createdAt: ts })),
})
export type AssignedRoles = z.output<typeof AssignedRoles>

/** One permission with the roles that have it. */
export const PermissionRow = z.object({
  name: z.string(),
  scope: z.enum(ROLE_PLACES),
  description: z.string(),
  roles: z.array(z.string()),
})
export type PermissionRow = z.output<typeof PermissionRow>

/** The columns a list of members may be sorted by. */
export const MEMBER_SORTS = ['created_at', 'id', 'email', 'updated_at'] as const

/** What narrows a list of members; a role by id or name. */
export const MemberSearch = z.object({
  ...pageInput,
  query: z.optional(z.string()),
  role: alternatives(z.union([z.int(), z.string()])),
  state: alternatives(OperatorState),
  externalPlatformIds: alternatives(z.union([z.int(), z.string()])),
})
export type MemberSearch = z.output<typeof MemberSearch>

export const MemberPage = z.object({
  members: z.object({
    data: z.array(Operator),
    totalCount: int,
    attributes: z.array(Attribute),
    nextCursor: z.nullable(z.string()),
    prevCursor: z.nullable(z.string()),
  }),
})
export type MemberPage = z.output<typeof MemberPage>

/** More projects than an install has, and fewer than a statement can take. */
const MOST_PROJECTS = 500

const projectID = z.int({ error: 'A project is named by its number' }).check(z.positive())

const roleChoice = {
  roleID: z.optional(z.int({ error: 'A role is named by its number' })),
  roleName: z.optional(z.string({ error: 'Role must be text' })),
  projectIDs: z.optional(
    z
      .array(projectID, { error: 'Projects must be a list' })
      .check(z.maxLength(MOST_PROJECTS, { error: `At most ${MOST_PROJECTS} projects can be listed` })),
  ),
  /** One project, as existing clients send it. */
  externalPlatformID: z.optional(projectID),
}

type NamesRole = { readonly roleID?: number | undefined; readonly roleName?: string | undefined }
const namesRole = ({ roleID, roleName }: NamesRole) => roleID !== undefined || roleName !== undefined
const roleRequired = { path: ['roleID'], error: 'Role is required' }

/** A role for a member, in projects or in the whole install. */
export const AssignRole = z.object(roleChoice).check(z.refine(namesRole, roleRequired))
export type AssignRole = z.output<typeof AssignRole>

/** A new member; with a password they sign in at once and must choose another, otherwise they get an invitation. */
export const NewMember = z
  .object({
    email: operatorEmail,
    ...roleChoice,
    name: clearableText('Name', { max: 100 }),
    username: clearableText('Username', { max: 50 }),
    password: z.optional(newPassword),
  })
  .check(z.refine(namesRole, roleRequired))
export type NewMember = z.output<typeof NewMember>

/** What others may change of a member; absent fields stay. */
export const ChangeMember = z.object({
  name: clearableText('Name', { max: 100 }),
  username: clearableText('Username', { max: 50 }),
  email: z.optional(operatorEmail),
})
export type ChangeMember = z.output<typeof ChangeMember>

/** Takes away a role in one project, or without a project all access. */
export const RevokeAccess = z.object({ externalPlatformID: z.optional(projectID) })

/** A link to a first password; its address is shown only where no mail can carry it. */
export const Invitation = z.object({ url: z.nullable(z.string()), expiresAt: ts })
export type Invitation = z.output<typeof Invitation>

const ROLE_NAME = /^[a-z][a-z0-9_]{2,49}$/
const roleFields = {
  name: text('Name', { max: 50 }).check(
    z.regex(ROLE_NAME, { error: 'Name must be 3 to 50 small letters, digits and underscores, a letter first' }),
  ),
  displayName: text('Display name', { max: 60 }),
  description: clearableText('Description', { max: 200 }),
  permissions: z
    .array(z.string({ error: 'A permission must be text' }), { error: 'Permissions are required' })
    .check(
      z.minLength(1, { error: 'Choose at least one permission' }),
      z.maxLength(200, { error: 'At most 200 permissions can be listed' }),
    ),
  scope: oneOf('Scope', ROLE_PLACES),
}

type Held = { readonly scope: RolePlace; readonly permissions: readonly string[] }
const isHeldThere = ({ scope, permissions }: Held) => permissions.every((name) => isHeldIn(name, scope))

/** A custom role as its editor sends it. */
export const RoleInput = z.object(roleFields).check(
  z.refine(isHeldThere, {
    path: ['permissions'],
    error: 'A role of single projects cannot hold permissions that change the whole install',
  }),
)
export type RoleInput = z.output<typeof RoleInput>
