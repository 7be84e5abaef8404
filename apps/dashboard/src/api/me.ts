import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { ChangeMe, Me } from '@kassa/contract/operators/schemas.ts'
import type { Permission } from '@kassa/contract/permissions.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'

import { ALL_PROJECTS } from '../lib/navigation/current-project.ts'
import { keepLocale } from '../lib/text/locale.ts'
import { call } from './client.ts'
import { displayMark, showDisplay } from './display.ts'

/** The signed-in operator, with what they may do. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const mark = displayMark()
    const me = await call(authRoutes.getMe, {}, { signal })
    keepLocale(me.locale)
    showDisplay(me.display, mark)
    return me
  },
  staleTime: 60_000,
})

/** Reads the operator again where what they may do has changed since it was read. @throws RequestError */
export async function refreshOutdatedMe(queryClient: QueryClient, version: string): Promise<void> {
  // Also one that is being read right now may be older than what the server says here.
  const known = await queryClient.query({ ...meQuery, staleTime: 'static' })
  if (known.permissionsVersion !== version) await queryClient.invalidateQueries(meQuery)
}

/** Returns the function that changes what the operator may change of themselves. @throws RequestError */
export function useChangeMe(): (change: ChangeMe) => Promise<void> {
  const queryClient = useQueryClient()
  return async (body) => {
    await call(authRoutes.changeMe, { body })
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  }
}

/** Whether the operator holds a permission in a project; without one, or in `all`, one project is enough. */
export type Can = (permission: Permission, projectId?: string | number) => boolean

/** Returns the operator's `can`; nothing is allowed until the server has said what is. */
export function useCan(): Can {
  const { data: me } = useQuery(meQuery)
  return (permission, projectId) => me !== undefined && may(me, permission, projectId)
}

/** Reads one operator's permissions the way the server does. */
export function may(
  { permissions }: Pick<Me, 'permissions'>,
  permission: Permission,
  projectId?: string | number,
): boolean {
  if (permissions.install.includes(permission)) return true
  const inProjects = permissions.projects
  if (projectId !== undefined && projectId !== ALL_PROJECTS) return inProjects[projectId]?.includes(permission) ?? false
  return Object.values(inProjects).some((held) => held.includes(permission))
}
