import { PERMISSIONS, type Permission, PRESETS, ROLES, SCOPES } from '@kassa/contract/permissions.ts'
import { permissionsOfAccess, type Route, type Routes } from '@kassa/contract/kit/route.ts'
import { page, printedFrom, table } from './markdown.ts'

type Groups = Readonly<Record<string, Routes>>

/** Prints who may do what: the permissions of the built-in roles and the scopes of API keys, with the routes they open. */
export function permissionsPage(groups: Groups): string {
  const routes = Object.values(groups).flatMap((group) => Object.values(group))
  const opens = (matches: (route: Route) => boolean) =>
    routes
      .filter(matches)
      .map(({ id }) => id)
      .join(', ')
  const names = Object.keys(PERMISSIONS) as Permission[]
  const roles = ROLES.filter(({ name }) => names.some((permission) => holds(permission, name)))
  return page(
    '# Permissions',
    printedFrom('packages/contract/src/permissions.ts'),
    '## Roles',
    table(['Id', 'Name', 'Shown as', 'Held', 'Description'], ROLES.map(roleRow)),
    '## Permissions of operators',
    table(
      ['Permission', 'Held per', 'Allows', ...roles.map(({ displayName }) => displayName), 'Routes'],
      names.map((permission) => [
        `\`${permission}\``,
        PERMISSIONS[permission].scope,
        PERMISSIONS[permission].allows,
        ...roles.map(({ name }) => (holds(permission, name) ? '●' : '')),
        opens(({ access }) => permissionsOfAccess(access).includes(permission)),
      ]),
    ),
    '## Scopes of API keys',
    table(
      ['Scope', 'Routes'],
      SCOPES.map((scope) => [`\`${scope}\``, opens(({ access }) => access.scope === scope)]),
    ),
    '## Presets of scopes',
    table(
      ['Preset', 'Scopes'],
      Object.entries(PRESETS).map(([name, scopes]) => [name, scopes.join(', ')]),
    ),
  )
}

function holds(permission: Permission, role: string): boolean {
  return PERMISSIONS[permission].roles.some((name) => name === role)
}

function roleRow({ id, name, displayName, scope, places, description }: (typeof ROLES)[number]): string[] {
  const held = [scope, ...places.filter((place) => place !== scope)].map((place) => `per ${place}`)
  return [String(id), `\`${name}\``, displayName, held.join(' or '), description]
}
