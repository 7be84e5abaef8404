import { fail } from '@kassa/contract/kit/api-error.ts'
import type { contractAddressesRoutes } from '@kassa/contract/sweep-contracts/address-routes.ts'
import type { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'
import type { contractCallRoutes } from '@kassa/contract/sweep-contracts/wallet-routes.ts'
import type { contractWalletsRoutes } from '@kassa/contract/wallets/contract-routes.ts'

import type { Context } from '../../context.ts'
import { type Describe, type Handlers, prepared } from '../../http/handlers.ts'
import { findBlockchain } from '../blockchains/chains/service.ts'
import { showWallet, visibleWallet } from '../wallets/service.ts'
import { parseAddress } from './chain/addresses.ts'
import { describeCollector, listCollectors, readChoice, recordCollector } from './collectors.ts'
import { addContract, changeContract, checkContract, findCustomContract } from './custom-contracts.ts'
import { parseTransaction, readCreation } from './chain/read-chain.ts'
import { registerApprovalContract, registerContractWallet } from './register.ts'
import {
  blockchainForVault,
  blockchainOfFactory,
  changeContractAddress,
  describeChange,
  findContract,
  findContractAddress,
  getContract,
  getContractAddress,
  listContracts,
  listFactories,
} from './service.ts'
import type { CustomRow } from './store.ts'
import { blockchainOf } from './vaults.ts'
import { showVault } from './view.ts'
import { draftCall, sendCall } from './chain/wallet-calls.ts'

export const sweepContractsHandlers: Handlers<typeof sweepContractsRoutes> = {
  listContracts: (ctx, { params }) => listContracts(ctx, params.type),
  getContract: (ctx, { params }) => getContract(ctx, params.id),
  findContract: (ctx, { params }) => findContract(ctx, params.b, params.type),
  addContract: prepared({
    prepare: async (ctx, { params, body }) =>
      checkContract(ctx, (await findBlockchain(ctx, params.b)) ?? fail('BLOCKCHAIN_NOT_FOUND'), body),
    perform: (ctx, { body }, checked) => addContract(ctx, body, checked),
  }),
  changeContract: prepared({
    prepare: async (ctx, { params, body }) => {
      const row = await customContract(ctx, params.id)
      if (body.address === undefined) return null
      return checkContract(ctx, await blockchainOf(ctx, row), { ...body, contractType: row.contract_type })
    },
    perform: async (ctx, { params, body }, checked) =>
      changeContract(ctx, await customContract(ctx, params.id), body, checked),
  }),
  listFactories: (ctx) => listFactories(ctx),
}

export const contractAddressesHandlers: Handlers<typeof contractAddressesRoutes> = {
  findContractAddress: (ctx, { params }) => findContractAddress(ctx, params.b, params.name),
  registerContractAddress: prepared({
    prepare: async (ctx, { params, body }) =>
      readCreation(ctx, await blockchainForVault(ctx, params.b, params.name), body.transactionHash),
    perform: async (ctx, { body }, created) => {
      const { blockchain } = created
      const [address, fundCollectorAddress] = [body.address, body.fundCollectorAddress].map((text) =>
        parseAddress(ctx, blockchain, text),
      ) as [string, string]
      const row = await registerApprovalContract(ctx, created, { address, fundCollectorAddress, name: body.name })
      return showVault(row, blockchain)
    },
  }),
  getContractAddress: (ctx, { params }) => getContractAddress(ctx, params),
  changeContractAddress: (ctx, { params, body }) => changeContractAddress(ctx, params, body),
}

export const contractWalletsHandlers: Handlers<typeof contractWalletsRoutes> = {
  addContractWallet: prepared({
    prepare: async (ctx, { params, body }) =>
      readCreation(ctx, await blockchainOfFactory(ctx, params.id), body.transactionHash),
    perform: async (ctx, { body, scope }, created) =>
      showWallet(ctx, await registerContractWallet(ctx, created, { ...body, projectId: scope.projectId ?? undefined })),
  }),
  listCollectors: async (ctx, { scope, params }) =>
    listCollectors(ctx, await visibleWallet(ctx, scope, params.id), params.f),
  recordCollector: prepared({
    prepare: async (ctx, { scope, params, body }) =>
      readChoice(ctx, await visibleWallet(ctx, scope, params.id), { ...body, family: params.f }),
    perform: async (ctx, { scope, params, body }, states) =>
      recordCollector(ctx, await visibleWallet(ctx, scope, params.id), { ...body, family: params.f, states }),
  }),
}

export const contractCallHandlers: Handlers<typeof contractCallRoutes> = {
  draftCall: (ctx, { params, body }) => draftCall(ctx, params.b, body),
  sendCall: async (ctx, { params, body }) => ({ transactionHash: await sendCall(ctx, params.b, body) }),
}

/** What confirming a collector will do. */
export const describeRecordCollector: Describe<typeof contractWalletsRoutes.recordCollector> = async (
  ctx,
  { scope, params, body },
) => describeCollector(ctx, await visibleWallet(ctx, scope, params.id), { ...body, family: params.f })

/** What registering a contract for approvals will do; what is claimed of it is compared with its chain before it does. */
export const describeRegisterContractAddress: Describe<typeof contractAddressesRoutes.registerContractAddress> = async (
  ctx,
  { params, body },
) => {
  const blockchain = await blockchainForVault(ctx, params.b, params.name)
  const contract = parseAddress(ctx, blockchain, body.address)
  const address = parseAddress(ctx, blockchain, body.fundCollectorAddress)
  const transaction = parseTransaction(blockchain, body.transactionHash)
  return {
    lines: [{ code: 'contract_registered', params: { blockchain: blockchain.name, contract, address, transaction } }],
    happens: { blockchain: blockchain.code, contract, collector: address, transaction, name: body.name ?? '' },
  }
}

/** What taking a contract out of use, or using it again, will do. */
export const describeChangeContractAddress: Describe<typeof contractAddressesRoutes.changeContractAddress> = (
  ctx,
  { params, body },
) => describeChange(ctx, params, body)

/** Facts of a custom contract neither move money nor redirect it: Kassa calls only contracts of the release. */
export const describeContractFacts: Describe<typeof sweepContractsRoutes.addContract> = async () => null

/** @throws CONTRACT_NOT_FOUND, CONTRACT_FROM_RELEASE */
async function customContract(ctx: Context, id: number): Promise<CustomRow> {
  const row = await findCustomContract(ctx, id)
  if (row) return row
  await getContract(ctx, id)
  return fail('CONTRACT_FROM_RELEASE')
}
