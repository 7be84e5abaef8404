import { customersRoutes } from '@kassa/contract/customers/routes.ts'
import { isEmail } from '@kassa/contract/kit/email.ts'
import { queryOptions } from '@tanstack/react-query'

import { ALL_PROJECTS } from '../lib/navigation/current-project.ts'
import { call } from './client.ts'

/** The customer of a project whom this e-mail address belongs to; null when there is none, or more than one. */
export function customerByEmailQuery(projectId: string, email: string) {
  return queryOptions({
    queryKey: ['customers', projectId, 'email', email],
    queryFn: async ({ signal }) => {
      const query = { email, limit: 2 }
      const { members } = await call(customersRoutes.listCustomers, { params: { p: projectId }, query }, { signal })
      return members.length === 1 ? (members[0] ?? null) : null
    },
    enabled: projectId !== ALL_PROJECTS && projectId !== '' && isEmail(email),
  })
}

/** One customer of a project, by the id deposits know them by. */
export function customerQuery(projectId: number, memberId: number) {
  return queryOptions({
    queryKey: ['customers', String(projectId), 'one', memberId],
    queryFn: ({ signal }) => {
      const params = { p: String(projectId), id: String(memberId) }
      return call(customersRoutes.getCustomer, { params }, { signal })
    },
    staleTime: 60_000,
  })
}
