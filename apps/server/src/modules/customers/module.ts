import { customersRoutes } from '@kassa/contract/customers/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { customersHandlers } from './routes.ts'
import type { AddressLookup } from './service.ts'

/** Makes the module; `addressesOf` of the wallets derives each address of a customer again before anybody sees it. */
export function customers(addressesOf: AddressLookup): Module {
  return { name: 'customers', routes: [serve(customersRoutes, customersHandlers(addressesOf))] }
}
