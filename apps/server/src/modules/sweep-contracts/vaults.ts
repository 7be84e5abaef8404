import { timingSafeEqual } from 'node:crypto'

import { chainIn } from '@kassa/chains/chain.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { VaultType } from '@kassa/contract/sweep-contracts/schemas.ts'

import type { Context } from '../../context.ts'
import { type BlockchainRow, findBlockchain } from '../blockchains/chains/service.ts'
import { findCollector } from '../wallets/cold/service.ts'
import { genuineSource, isForged, refuseForged, rowMac } from '../wallets/service.ts'
import { vaultsOf } from './chain/read-chain.ts'
import { type VaultProblem, vaultProblem } from './rules.ts'
import { findVaultRow, listVaultRows, type VaultRow } from './store.ts'

/** A sweep contract of this install on one blockchain, for modules that plan, sign or check a sweep. */
export type Vault = {
  /** The id of its row, ContractAddress on the wire. */
  readonly id: number
  readonly blockchainId: number
  readonly type: VaultType
  /** The contract wallet whose deposits it commands (ids of items are their salts); null where addresses approve it. */
  readonly walletId: number | null
  readonly address: string
  readonly factory: string
  /**
   * The contract to which a deposit address of an extended public key delegates, so that this contract may sweep it (EIP-7702).
   */
  readonly delegate: string
  readonly owner: string
  /** The collector on chain, as it was last read; read it again before signing. */
  readonly collector: string
  readonly collectorWalletId: number | null
  /** A collector that was proposed on chain; sweeps to the present one continue. */
  readonly pendingCollector: { readonly address: string; readonly readyAt: Date } | null
  /** Why nothing may be swept through it now. */
  readonly problem: VaultProblem | null
  readonly status: 'active' | 'inactive'
}

/** What the MAC of a row covers: the contract, its purpose, and the collector that operators confirmed. */
export function vaultMac(
  ctx: Context,
  row: Pick<VaultRow, 'blockchain_id' | 'contract_type' | 'address' | 'tx_id' | 'wallet_id' | 'collector'>,
): Buffer {
  const { blockchain_id, contract_type, address, tx_id, wallet_id, collector } = row
  return rowMac(ctx, ['contract', blockchain_id, contract_type, address, tx_id, wallet_id, collector])
}

/**
 * Makes sure that a sweep contract is the one that was registered.
 * @throws SERVICE_UNAVAILABLE and raises an alarm when its row was changed without this program
 */
export async function requireGenuineVault(ctx: Context, row: VaultRow): Promise<void> {
  const isGenuine = timingSafeEqual(row.mac, vaultMac(ctx, row))
  const isOfWallet = !isGenuine || row.wallet_id === null || (await hasVault(ctx, row.wallet_id, row))
  if (isGenuine && isOfWallet) return
  const blockchainCode = (await findBlockchain(ctx, row.blockchain_id))?.code ?? ''
  refuseForged(ctx, `contract ${row.id}`, { blockchainCode, contract: row.address, what: 'contract' })
}

async function hasVault(ctx: Context, walletId: number, { family_id, address }: VaultRow): Promise<boolean> {
  const source = await genuineSource(ctx, walletId, family_id)
  return source.kind === 'create2' && source.vault === address
}

/**
 * Finds the sweep contract through which money of a deposit wallet leaves on a blockchain: the contract of a contract wallet,
 * else the newest one that deposit addresses approve. Null where none is registered or operators took it out of use.
 * @throws SERVICE_UNAVAILABLE when its row was changed without this program
 */
export async function findVault(
  ctx: Context,
  { walletId, subType, blockchainId }: { walletId: number; subType: 'scw' | 'eoa'; blockchainId: number },
): Promise<Vault | null> {
  const row = vaultRowOf(await listVaultRows(ctx), { walletId, subType, blockchainId })
  return row?.status === 'active' ? vaultOf(ctx, row) : null
}

/**
 * Finds the sweep contract of a planned sweep, also where a newer one is in use: that of its contract wallet, or with null the
 * one that deposit addresses approve. Null where operators took it out of use.
 * @throws SERVICE_UNAVAILABLE when its row was changed without this program
 */
export async function findVaultAt(
  ctx: Context,
  place: { readonly blockchainId: number; readonly address: string; readonly walletId: number | null },
): Promise<Vault | null> {
  const row = (await listVaultRows(ctx)).find(
    (one) =>
      one.blockchain_id === place.blockchainId && one.address === place.address && one.wallet_id === place.walletId,
  )
  return row?.status === 'active' ? vaultOf(ctx, row) : null
}

/** Finds a sweep contract by its id. @throws CONTRACT_ADDRESS_NOT_FOUND, SERVICE_UNAVAILABLE */
export async function getVault(ctx: Context, id: number): Promise<Vault> {
  return vaultOf(ctx, (await findVaultRow(ctx, id)) ?? fail('CONTRACT_ADDRESS_NOT_FOUND'))
}

/** Every sweep contract of this install that is genuine, the newest first; one whose row was changed raises its alarm and is left out. */
export async function listVaults(ctx: Context): Promise<Vault[]> {
  const vaults: Vault[] = []
  for (const row of await listVaultRows(ctx)) {
    const vault = await vaultOf(ctx, row).catch((error: unknown) => {
      if (isForged(error)) return null
      throw error
    })
    if (vault) vaults.push(vault)
  }
  return vaults
}

/** The row of `findVault`, also where a contract wallet's own is out of use; `rows` are the newest first. */
function vaultRowOf(
  rows: readonly VaultRow[],
  { walletId, subType, blockchainId }: { walletId: number; subType: 'scw' | 'eoa'; blockchainId: number },
): VaultRow | undefined {
  const here = rows.filter((row) => row.blockchain_id === blockchainId)
  if (subType === 'scw') return here.find((row) => row.wallet_id === walletId)
  return here.find((row) => row.contract_type === 'sweep_approval' && row.status === 'active')
}

/** The sweep contracts through which money of a deposit wallet leaves, one of each blockchain. */
export async function vaultRowsOf(
  ctx: Context,
  wallet: { readonly walletId: number; readonly subType: 'scw' | 'eoa'; readonly familyId: number },
): Promise<VaultRow[]> {
  const rows = (await listVaultRows(ctx)).filter((row) => row.family_id === wallet.familyId)
  const blockchainIds = [...new Set(rows.map((row) => row.blockchain_id))].toSorted((a, b) => a - b)
  return blockchainIds.flatMap((blockchainId) => vaultRowOf(rows, { ...wallet, blockchainId }) ?? [])
}

async function vaultOf(ctx: Context, row: VaultRow): Promise<Vault> {
  await requireGenuineVault(ctx, row)
  const blockchain = await blockchainOf(ctx, row)
  const vaults = vaultsOf(blockchain)
  const chain = chainIn(ctx.config.network, blockchain.definition)
  const { collector_on_chain: collector, owner } = row
  const cold = await findCollector(ctx, row.blockchain_id, collector)
  const ends = { mode: ctx.config.network, owner, collector, confirmed: row.collector }
  return {
    id: row.id,
    blockchainId: row.blockchain_id,
    type: row.contract_type,
    walletId: row.wallet_id,
    address: row.address,
    factory: vaults.factory(chain),
    delegate: vaults.delegate(chain, row.address),
    owner,
    collector,
    collectorWalletId: cold?.walletId ?? null,
    pendingCollector:
      row.pending_collector === null || row.collector_ready_at === null
        ? null
        : { address: row.pending_collector, readyAt: row.collector_ready_at },
    problem: vaultProblem({ ...ends, isUsable: cold?.isUsable ?? false }),
    status: row.status,
  }
}

/** The blockchain that a sweep contract stands on. */
export async function blockchainOf(
  ctx: Context,
  { blockchain_id: id }: Pick<VaultRow, 'blockchain_id'>,
): Promise<BlockchainRow> {
  return (await findBlockchain(ctx, id)) ?? fail('BLOCKCHAIN_NOT_FOUND')
}
