import type { customersRoutes } from '@kassa/contract/customers/routes.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Handlers } from '../../http/handlers.ts'
import { addCustomer, type AddressLookup, readCustomer, searchCustomers } from './service.ts'
import { customerDetailView, customerView } from './view.ts'

export const customersHandlers = (addressesOf: AddressLookup): Handlers<typeof customersRoutes> => ({
  listCustomers: async (ctx, { scope, query }) => {
    const { customers, total, nextCursor } = await searchCustomers(ctx, scope, query)
    return { members: customers.map(customerView), totalCount: total, nextCursor }
  },

  createCustomer: async (ctx, { scope, body }) => {
    const projectId = scope.projectId ?? fail('PROJECT_REQUIRED')
    return { member: customerView(await addCustomer(ctx, projectId, body)) }
  },

  getCustomer: async (ctx, { scope, params }) => {
    const id = /^[1-9]\d{0,8}$/.test(params.id) ? Number(params.id) : fail('CUSTOMER_NOT_FOUND')
    const { customer, totals } = await readCustomer(ctx, scope, id)
    return customerDetailView(customer, totals, await addressesOf(ctx, customer.id))
  },
})
