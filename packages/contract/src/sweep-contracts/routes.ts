import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { Contract } from './schemas.ts'

const READ = { permission: 'contract:read' } as const

/** The contracts that Kassa ships, on every blockchain that has them (api.md K). */
export const sweepContractsRoutes = {
  listContracts: route({
    id: 'K1',
    methods: ['GET'],
    paths: ['/blockchain-contract', '/blockchain-contract/contract/{type}'],
    summary: 'List the contracts that Kassa ships, all or those of one type',
    access: READ,
    rate: 'dashboard',
    params: z.object({ type: z.optional(z.string()) }),
    response: z.array(Contract),
    errors: ['CONTRACT_TYPE_UNKNOWN'],
  }),
  getContract: route({
    id: 'K2',
    methods: ['GET'],
    paths: ['/blockchain-contract/{id}'],
    summary: 'Read one contract',
    access: READ,
    rate: 'dashboard',
    params: z.object({ id }),
    response: Contract,
    errors: ['CONTRACT_NOT_FOUND'],
  }),
  findContract: route({
    id: 'K3',
    methods: ['GET'],
    paths: ['/blockchain-contract/blockchain/{b}/contract/{type}'],
    summary: 'Read the contract of one type on a blockchain',
    access: READ,
    rate: 'dashboard',
    params: z.object({ b: z.string(), type: z.string() }),
    response: Contract,
    errors: ['CONTRACT_NOT_FOUND'],
  }),
}
