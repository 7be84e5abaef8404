// Sweep contracts gather what a merchant's deposit addresses hold and pass it to one address, the merchant's own. The
// server knows and checks them; it deploys none and has no right over any.
import { chainIn } from '@kassa/chains/chain.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { CONTRACT_TYPES, type Contract } from '@kassa/contract/sweep-contracts/schemas.ts'

import type { Context } from '../../context.ts'
import { adapterOf, type BlockchainRow, listBlockchains } from '../blockchains/chains/service.ts'
import { contractId, showContract } from './view.ts'

/**
 * Lists the contracts of this release by blockchain and type; none stands in the database, which could be changed.
 * @throws CONTRACT_TYPE_UNKNOWN
 */
export async function listContracts(ctx: Context, type?: string): Promise<Contract[]> {
  const isKnown = type === undefined || CONTRACT_TYPES.some((known) => known === type)
  if (!isKnown) fail('CONTRACT_TYPE_UNKNOWN')
  const all = (await listBlockchains(ctx)).flatMap((blockchain) => contractsOn(ctx, blockchain))
  return all.filter(({ contractType }) => type === undefined || contractType === type)
}

/** Finds a contract by its id. @throws CONTRACT_NOT_FOUND */
export async function getContract(ctx: Context, id: number): Promise<Contract> {
  return (await listContracts(ctx)).find((contract) => contract.id === id) ?? fail('CONTRACT_NOT_FOUND')
}

/** Finds the contract of one type on a blockchain, by its code or id. @throws CONTRACT_NOT_FOUND */
export async function findContract(ctx: Context, blockchain: string, type: string): Promise<Contract> {
  const found = (await listContracts(ctx)).find(
    ({ blockchainCode, blockchain_id: id, contractType }) =>
      contractType === type && (blockchainCode === blockchain || String(id) === blockchain),
  )
  return found ?? fail('CONTRACT_NOT_FOUND')
}

function contractsOn(ctx: Context, blockchain: BlockchainRow): Contract[] {
  const vaults = adapterOf(blockchain.definition.family)?.vaults
  if (!vaults) return []
  const released = vaults.released(chainIn(ctx.config.network, blockchain.definition))
  return CONTRACT_TYPES.map((type) => showContract(contractId(blockchain.id, type), blockchain, type, released[type]))
}
