// Sweep contracts gather what a merchant's deposit addresses hold and pass it to one address, the merchant's own. The server
// knows and checks them; it deploys none and has no right over any.
import { chainIn } from '@kassa/chains/chain.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import {
  CONTRACT_TYPES,
  type Contract,
  type ContractAddress,
  type ContractAddressChange,
  VAULT_TYPES,
} from '@kassa/contract/sweep-contracts/schemas.ts'

import type { Context } from '../../context.ts'
import type { Description } from '../../http/handlers.ts'
import { adapterOf, type BlockchainRow, findBlockchain, listBlockchains } from '../blockchains/chains/service.ts'
import { listCustomContracts, listVaultRows, lockVaultRows, updateVaultRow, type VaultRow } from './store.ts'
import { blockchainOf } from './vaults.ts'
import { contractId, showContract, showCustomContract, showVault } from './view.ts'

export { isCreationAwaited } from './chain/read-chain.ts'
export { findVault, findVaultAt, getVault, listVaults, type Vault } from './vaults.ts'

/**
 * Lists the contracts of this release by blockchain and type, followed by added ones. Those of the release come from code,
 * because a table could be changed.
 * @throws CONTRACT_TYPE_UNKNOWN
 */
export async function listContracts(ctx: Context, type?: string): Promise<Contract[]> {
  const isKnown = type === undefined || CONTRACT_TYPES.some((known) => known === type)
  if (!isKnown) fail('CONTRACT_TYPE_UNKNOWN')
  const blockchains = await listBlockchains(ctx)
  const released = blockchains.flatMap((blockchain) => contractsOn(ctx, blockchain))
  const added = (await listCustomContracts(ctx)).flatMap((row) => {
    const blockchain = blockchains.find(({ id }) => id === row.blockchain_id)
    return blockchain ? [showCustomContract(row, blockchain)] : []
  })
  return [...released, ...added].filter(({ contractType }) => type === undefined || contractType === type)
}

/** Finds a contract by its id. @throws CONTRACT_NOT_FOUND */
export async function getContract(ctx: Context, id: number): Promise<Contract> {
  return (await listContracts(ctx)).find((contract) => contract.id === id) ?? fail('CONTRACT_NOT_FOUND')
}

/** Finds the contract of one type on a blockchain, by its code or id; that of the release. @throws CONTRACT_NOT_FOUND */
export async function findContract(ctx: Context, blockchain: string, type: string): Promise<Contract> {
  const found = (await listContracts(ctx)).find(
    ({ blockchainCode, blockchain_id: id, contractType }) =>
      contractType === type && (blockchainCode === blockchain || String(id) === blockchain),
  )
  return found ?? fail('CONTRACT_NOT_FOUND')
}

/** The blockchain of a factory of the release, by the factory's id. @throws CONTRACT_NOT_FOUND */
export async function blockchainOfFactory(ctx: Context, id: number): Promise<BlockchainRow> {
  const { contractType, source, blockchain_id: blockchainId } = await getContract(ctx, id)
  if (contractType !== 'factory_contract' || source !== 'release') return fail('CONTRACT_NOT_FOUND')
  return blockchainOf(ctx, { blockchain_id: blockchainId })
}

/** The blockchain on which a sweep contract is registered under a type or the id of one. @throws CONTRACT_NOT_FOUND */
export async function blockchainForVault(ctx: Context, b: string, name: string): Promise<BlockchainRow> {
  const blockchain = (await findBlockchain(ctx, b)) ?? fail('CONTRACT_NOT_FOUND')
  return typesNamed(blockchain, name).length > 0 ? blockchain : fail('CONTRACT_NOT_FOUND')
}

/**
 * Finds the newest active sweep contract of a blockchain, by a type or its id. Both types are one contract, so the other type
 * serves where the named one has none.
 * @throws CONTRACT_ADDRESS_NOT_FOUND
 */
export async function findContractAddress(ctx: Context, b: string, name: string): Promise<ContractAddress> {
  const blockchain = (await findBlockchain(ctx, b)) ?? fail('CONTRACT_ADDRESS_NOT_FOUND')
  const [type] = typesNamed(blockchain, name)
  const rows = (await listVaultRows(ctx)).filter(
    (row) => row.blockchain_id === blockchain.id && row.status === 'active',
  )
  const row = (type && rows.find(({ contract_type: one }) => one === type)) ?? (type && rows[0])
  return row ? showVault(row, blockchain) : fail('CONTRACT_ADDRESS_NOT_FOUND')
}

function typesNamed({ id }: BlockchainRow, name: string) {
  return VAULT_TYPES.filter((type) => type === name || String(contractId(id, type)) === name)
}

/** Reads one sweep contract. @throws CONTRACT_ADDRESS_NOT_FOUND */
export async function getContractAddress(ctx: Context, place: RowPlace): Promise<ContractAddress> {
  const row = await findRow(await listVaultRows(ctx), ctx, place)
  return showVault(row, await blockchainOf(ctx, row))
}

type RowPlace = { readonly id: number; readonly b?: string | undefined; readonly name?: string | undefined }

async function findRow(rows: readonly VaultRow[], ctx: Context, { id, b, name }: RowPlace): Promise<VaultRow> {
  const row = rows.find((one) => one.id === id) ?? fail('CONTRACT_ADDRESS_NOT_FOUND')
  const blockchain = await blockchainOf(ctx, row)
  const isThere = b === undefined || (await findBlockchain(ctx, b))?.id === blockchain.id
  const isNamed = name === undefined || typesNamed(blockchain, name).length > 0
  return isThere && isNamed ? row : fail('CONTRACT_ADDRESS_NOT_FOUND')
}

/** Renames a sweep contract, or takes it out of use. @throws CONTRACT_ADDRESS_NOT_FOUND */
export async function changeContractAddress(
  tx: Context,
  place: RowPlace,
  { name, status }: ContractAddressChange,
): Promise<ContractAddress> {
  const row = await findRow(await lockVaultRows(tx, [place.id]), tx, place)
  const change = { name: name ?? row.name, status: status ?? row.status }
  await updateVaultRow(tx, row.id, change)
  const { id: contractAddressID, address } = row
  tx.change(
    { contractAddressID, address, name: row.name, status: row.status },
    { contractAddressID, address, ...change },
  )
  return showVault({ ...row, ...change, updated_at: tx.now() }, await blockchainOf(tx, row))
}

/** Says whether a sweep contract will be used; null where only its name changes. @throws CONTRACT_ADDRESS_NOT_FOUND */
export async function describeChange(
  ctx: Context,
  place: RowPlace,
  { status }: ContractAddressChange,
): Promise<Description | null> {
  const row = await findRow(await lockVaultRows(ctx, [place.id]), ctx, place)
  if (status === undefined || status === row.status) return null
  const { name: blockchain, code } = await blockchainOf(ctx, row)
  return {
    lines: [{ code: 'contract_status', params: { blockchain, contract: row.address, status } }],
    happens: { id: row.id, blockchain: code, contract: row.address, from: row.status, to: status },
  }
}

/** The factory of each blockchain that has one, with the sweep contract that deposit addresses approve there. */
export async function listFactories(ctx: Context) {
  const rows = (await listVaultRows(ctx)).filter((row) => row.status === 'active')
  const factories = (await listContracts(ctx, 'factory_contract')).filter(({ source }) => source === 'release')
  const blockchains = await listBlockchains(ctx)
  return factories.map((factory) => {
    const here = rows.filter((row) => row.blockchain_id === factory.blockchain_id)
    const row = here.find((one) => one.contract_type === 'sweep_approval') ?? here[0]
    const blockchain = blockchains.find(({ id }) => id === factory.blockchain_id)
    const sweepContract = row && blockchain ? showVault(row, blockchain) : null
    return { blockchainCode: factory.blockchainCode, factory, sweepContract }
  })
}

function contractsOn(ctx: Context, blockchain: BlockchainRow): Contract[] {
  const vaults = adapterOf(blockchain.definition.family)?.vaults
  if (!vaults) return []
  const released = vaults.released(chainIn(ctx.config.network, blockchain.definition))
  return CONTRACT_TYPES.map((type) => showContract(contractId(blockchain.id, type), blockchain, type, released[type]))
}
