import type { customersRoutes } from '@kassa/contract/customers/routes.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Handlers } from '../../http/handlers.ts'
import { addCustomer, type AddressLookup, changeCustomer, readCustomer, searchCustomers } from './service.ts'
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
    const { customer, totals } = await readCustomer(ctx, scope, idOf(params.id))
    return customerDetailView(customer, totals, await addressesOf(ctx, customer.id))
  },

  changeCustomer: async (ctx, { scope, params, body }) =>
    customerView(await changeCustomer(ctx, scope, idOf(params.id), body)),
})

function idOf(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fail('CUSTOMER_NOT_FOUND')
}
