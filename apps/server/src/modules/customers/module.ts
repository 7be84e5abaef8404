import { customersRoutes } from '@kassa/contract/customers/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { customersHandlers } from './routes.ts'
import type { AddressLookup } from './service.ts'

/** Customers, whose addresses the wallets look up: they derive each again before anybody sees it. */
export function customers(addressesOf: AddressLookup): Module {
  return { name: 'customers', routes: [serve(customersRoutes, customersHandlers(addressesOf))] }
}
