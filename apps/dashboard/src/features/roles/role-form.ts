import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import { isHeldIn } from '@kassa/contract/operators/role-places.ts'
import { t } from '@lingui/core/macro'

import type { RoleInput } from '../../api/roles.ts'
import type { FieldErrors } from '../../lib/forms/form.ts'

export type RoleValues = {
  readonly displayName: string
  readonly name: string
  readonly description: string
  readonly scope: 'install' | 'project'
  readonly permissions: readonly string[]
}

const NAME = /^[a-z][a-z0-9_]{2,49}$/

/** What a form starts with: the role that is edited, one to copy, or nothing. */
export function startOf(role: Role | undefined, isCopy: boolean): RoleValues {
  if (role === undefined) return { displayName: '', name: '', description: '', scope: 'project', permissions: [] }
  const { displayName, name, description, scope, permissions } = role
  if (!isCopy) return { displayName, name, description, scope, permissions }
  return {
    displayName: t`Copy of ${displayName}`,
    name: `copy_of_${name}`.slice(0, 50),
    description,
    scope,
    permissions,
  }
}

/** Returns the name that programs use, made of the one that people read. */
export function nameFor(displayName: string): string {
  const letters = displayName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  return letters.replaceAll(/^[^a-z]+|_+$/g, '').slice(0, 50)
}

export function roleErrors(values: RoleValues): FieldErrors<RoleValues> {
  return {
    ...(values.displayName.trim() === '' && { displayName: t`Name is required` }),
    ...(!NAME.test(values.name.trim()) && {
      name: t`Three to fifty small letters, digits and underscores, a letter first`,
    }),
    ...(heldPermissions(values).length === 0 && { permissions: t`Choose at least one permission` }),
  }
}

/** The chosen permissions that count where the role is held; the others stay chosen until the form is sent. */
export function heldPermissions({ scope, permissions }: Pick<RoleValues, 'scope' | 'permissions'>): string[] {
  return permissions.filter((name) => isHeldIn(name, scope))
}

/** What goes over the wire. */
export function roleInput(values: RoleValues): RoleInput {
  return {
    displayName: values.displayName.trim(),
    name: values.name.trim(),
    description: values.description.trim(),
    scope: values.scope,
    permissions: heldPermissions(values),
  }
}

/** Whether somebody else changed a role since it was opened: what is sent replaces all of it. `own`: what this form sent. */
export function isOvertaken(opened: Role, now: Role | undefined, own: readonly RoleInput[]): boolean {
  if (now === undefined) return false
  const textOf = (input: RoleInput) => JSON.stringify({ ...input, permissions: input.permissions.toSorted() })
  const known = [roleInput(startOf(opened, false)), ...own].map(textOf)
  return !known.includes(textOf(roleInput(startOf(now, false))))
}
