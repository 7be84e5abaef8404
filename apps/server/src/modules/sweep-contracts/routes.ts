import type { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { findContract, getContract, listContracts } from './service.ts'

export const sweepContractsHandlers: Handlers<typeof sweepContractsRoutes> = {
  listContracts: (ctx, { params }) => listContracts(ctx, params.type),
  getContract: (ctx, { params }) => getContract(ctx, params.id),
  findContract: (ctx, { params }) => findContract(ctx, params.b, params.type),
}
