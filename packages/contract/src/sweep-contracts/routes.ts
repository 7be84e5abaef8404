import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { Contract, ContractChange, FactoryWithContract, NewContract } from './schemas.ts'

const READ = { permission: 'contract:read' } as const
const WRITE = { permission: 'contract:write', stepUp: 'M' } as const

/** The contracts that Kassa ships, on every blockchain that has them, and facts of others (api.md K). */
export const sweepContractsRoutes = {
  listContracts: route({
    id: 'K1',
    methods: ['GET'],
    paths: ['/blockchain-contract', '/blockchain-contract/contract/{type}'],
    summary: 'List the contracts that Kassa ships or that were added, all or those of one type',
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
  addContract: route({
    id: 'K4',
    methods: ['POST'],
    paths: ['/blockchain-contract/blockchain/{b}/contract'],
    summary: 'Add the facts of a contract that is not of the release; nothing is deployed',
    access: WRITE,
    rate: 'dashboard',
    params: z.object({ b: z.string() }),
    body: NewContract,
    response: Contract,
    status: 201,
    errors: [
      'STEP_UP_MISMATCH',
      'BLOCKCHAIN_NOT_FOUND',
      'FAMILY_UNSUPPORTED',
      'CONTRACT_EXISTS',
      'ADDRESS_INVALID',
      'CONTRACT_MISMATCH',
      'NODE_UNREACHABLE',
    ],
  }),
  changeContract: route({
    id: 'K5',
    methods: ['PUT', 'PATCH'],
    paths: ['/blockchain-contract/{id}'],
    summary: 'Change what is said of a contract that is not of the release',
    access: WRITE,
    rate: 'dashboard',
    params: z.object({ id }),
    body: ContractChange,
    response: Contract,
    errors: [
      'STEP_UP_MISMATCH',
      'CONTRACT_NOT_FOUND',
      'CONTRACT_FROM_RELEASE',
      'ADDRESS_INVALID',
      'CONTRACT_MISMATCH',
      'NODE_UNREACHABLE',
    ],
  }),
  listFactories: route({
    id: 'K6',
    methods: ['GET'],
    paths: ['/blockchain-contract/contract/factory_contract/address-contract/sweep_approval'],
    summary: 'List the factory of each blockchain with the sweep contract that deposit addresses approve there',
    access: READ,
    rate: 'dashboard',
    response: z.array(FactoryWithContract),
    errors: [],
  }),
}
