import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { ContractAddress, ContractAddressChange, NewContractAddress } from './schemas.ts'

/** A blockchain by its id or code; a contract by its type or id. */
const place = { b: z.string(), name: z.string() }
const paths = ['/contract-address/blockchain/{b}/contract/{name}'] as const
const rowPaths = ['/contract-address/blockchain/{b}/contract/{name}/id/{id}', '/contract-address/id/{id}'] as const
const rowPlace = z.object({ b: z.optional(z.string()), name: z.optional(z.string()), id })

/** Sweep contracts of this install, by blockchain (api.md K7 to K9). */
export const contractAddressesRoutes = {
  findContractAddress: route({
    id: 'K7',
    methods: ['GET'],
    paths,
    summary: 'Read the sweep contract of a blockchain: the newest that is active',
    access: { permission: 'contract:read' },
    rate: 'dashboard',
    params: z.object(place),
    response: ContractAddress,
    errors: ['CONTRACT_ADDRESS_NOT_FOUND'],
  }),
  registerContractAddress: route({
    id: 'K8',
    methods: ['POST'],
    paths,
    summary: 'Register a sweep contract for deposit addresses to approve, once its transaction is verified',
    access: { permission: 'contract:write', stepUp: 'M' },
    rate: 'egress',
    params: z.object(place),
    body: NewContractAddress,
    response: ContractAddress,
    status: 201,
    errors: [
      'STEP_UP_MISMATCH',
      'CONTRACT_NOT_FOUND',
      'FAMILY_UNSUPPORTED',
      'TRANSACTION_INVALID',
      'TRANSACTION_NOT_FOUND',
      'TRANSACTION_UNCONFIRMED',
      'TRANSACTION_USED',
      'CONTRACT_MISMATCH',
      'COLLECTOR_NOT_COLD_WALLET',
      'COLLECTOR_IS_MASTER',
      'ADDRESS_INVALID',
      'ADDRESS_IS_OURS',
      'NODE_UNREACHABLE',
    ],
  }),
  getContractAddress: route({
    id: 'K9',
    methods: ['GET'],
    paths: rowPaths,
    summary: 'Read one sweep contract',
    access: { permission: 'contract:read' },
    rate: 'dashboard',
    params: rowPlace,
    response: ContractAddress,
    errors: ['CONTRACT_ADDRESS_NOT_FOUND'],
  }),
  changeContractAddress: route({
    id: 'K9',
    methods: ['PATCH', 'PUT'],
    paths: rowPaths,
    summary: 'Rename a sweep contract, or take it out of use for new approvals',
    access: { permission: 'contract:write', stepUp: 'M' },
    rate: 'dashboard',
    params: rowPlace,
    body: ContractAddressChange,
    response: ContractAddress,
    errors: ['STEP_UP_MISMATCH', 'CONTRACT_ADDRESS_NOT_FOUND'],
  }),
}
