import type { RouteCall } from '@kassa/contract/kit/route.ts'
import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import { rolesRoutes } from '@kassa/contract/operators/role-routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'

export type RoleInput = NonNullable<RouteCall<typeof rolesRoutes.createRole>['body']>

/** The roles that members may have, but root; built-in ones first. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async ({ signal }) => (await call(rolesRoutes.listRoles, {}, { signal })).roles,
  staleTime: 60_000,
})

/** Returns the functions that make, change and delete custom roles. @throws RequestError */
export function useRoleChanges() {
  const queryClient = useQueryClient()
  const once = useChange('roles', 'members')
  return {
    /** Reads a role as it is now; undefined where it was deleted. */
    read: async (id: number): Promise<Role | undefined> =>
      (await queryClient.query({ ...rolesQuery, staleTime: 0 })).find((role) => role.id === id),
    /** Changes the role of this id; without one it is made. */
    save: (id: number | undefined, body: RoleInput): Promise<Role> =>
      once([id, body], (idempotencyKey) =>
        id === undefined
          ? call(rolesRoutes.createRole, { body }, { idempotencyKey })
          : call(rolesRoutes.changeRole, { params: { id }, body }, { idempotencyKey }),
      ),
    remove: (id: number) =>
      once(['remove', id], (idempotencyKey) => call(rolesRoutes.deleteRole, { params: { id } }, { idempotencyKey })),
  }
}
