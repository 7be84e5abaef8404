import type { Chain, ChainAdapter, ChainSession } from '@kassa/chains/adapter.ts'
import type { SweepVaultsOf } from '@kassa/chains/sweep-vaults.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { SweepCause } from '@kassa/contract/sweeps/reasons.ts'

import type { Context } from '../../../context.ts'
import { adapterOf, type Asset, type BlockchainRow, findBlockchain } from '../../blockchains/chains/service.ts'
import { findVault, findVaultAt, type Vault } from '../../sweep-contracts/service.ts'
import { findDefaultCold, listColdFacts } from '../../wallets/cold/service.ts'
import type { SweepRow } from '../record/service.ts'

/** A blockchain whose family has sweep contracts. */
export type SweepChain = { readonly row: BlockchainRow; readonly vaults: SweepVaultsOf<Chain, ChainSession> }

/** The blockchain of an asset. @throws FAMILY_UNSUPPORTED where its family has no sweep contracts */
export async function sweepChainOf(ctx: Context, asset: Asset): Promise<SweepChain> {
  const row = (await findBlockchain(ctx, asset.blockchainId)) ?? fail('BLOCKCHAIN_NOT_FOUND')
  const vaults = adapterOf(row.definition.family)?.vaults ?? fail('FAMILY_UNSUPPORTED')
  return { row, vaults }
}

export type Psbts = NonNullable<ChainAdapter['psbts']>

/** A blockchain whose coins lie in outputs; transactions that are signed outside of the server move them. */
export type OutputChain = { readonly row: BlockchainRow; readonly psbts: Psbts }

/** The blockchain of an asset whose coins lie in outputs; null for every other. */
export async function outputChainOf(ctx: Context, asset: Asset): Promise<OutputChain | null> {
  const row = (await findBlockchain(ctx, asset.blockchainId)) ?? fail('BLOCKCHAIN_NOT_FOUND')
  const psbts = adapterOf(row.definition.family)?.psbts
  return psbts && asset.standard === 'native' ? { row, psbts } : null
}

/** The cold wallet of a blockchain without sweep contracts, or why there is none that may be used. */
export async function coldEndOf(
  ctx: Context,
  { row }: Pick<OutputChain, 'row'>,
): Promise<{ readonly address: string } | { readonly wait: SweepCause }> {
  const cold = await findDefaultCold(ctx, row.id)
  if (!cold) return { wait: { code: 'COLD_WALLET_MISSING', params: { chain: row.code } } }
  if (cold.usable_at <= ctx.now()) return { address: cold.address }
  const params = { address: cold.address, until: cold.usable_at.toISOString() }
  return { wait: { code: 'COLD_WALLET_TOO_NEW', params } }
}

/** The contract that may move what a wallet's addresses hold, or why none may be used. */
type Source = { readonly vault: Vault } | { readonly wait: SweepCause }

/** Finds the contract of a wallet on a blockchain, and makes sure that its collector is a cold wallet that may receive money. */
export async function sourceOf(
  ctx: Context,
  wallet: {
    readonly walletId: number
    readonly subType: 'scw' | 'eoa'
    /** Nothing was ever swept there with it. */
    readonly isFirst?: boolean
  },
  { row }: Pick<SweepChain, 'row'>,
): Promise<Source> {
  const vault = await findVault(ctx, { ...wallet, blockchainId: row.id })
  if (!vault) {
    const code = wallet.isFirst ? 'DEPOSIT_NOT_DEPLOYED_FUND_SWEEPER_MISSING' : 'FUND_SWEEPER_NOT_DEPLOYED'
    return { wait: { code, params: { chain: row.code } } }
  }
  const wait = await waitOfCollector(ctx, vault, row)
  return wait ? { wait } : { vault }
}

/**
 * Finds the contract of a sweep that is planned, and makes sure that it is still in use and that its collector may still receive
 * money: a newer contract says nothing about this one.
 */
export async function sourceOfSweep(
  ctx: Context,
  { method, wallet_id, vault: address }: Pick<SweepRow, 'method' | 'wallet_id' | 'vault'>,
  { row }: Pick<SweepChain, 'row'>,
): Promise<Source> {
  const walletId = method === 'sweep' ? wallet_id : null
  const vault = await findVaultAt(ctx, { blockchainId: row.id, address, walletId })
  if (!vault) return { wait: { code: 'FUND_SWEEPER_NOT_DEPLOYED', params: { chain: row.code } } }
  const wait = await waitOfCollector(ctx, vault, row)
  return wait ? { wait } : { vault }
}

/** Why nothing may be sent to the collector of a contract now, or null. */
async function waitOfCollector(ctx: Context, vault: Vault, row: BlockchainRow): Promise<SweepCause | null> {
  const cold = (await listColdFacts(ctx)).find(
    (one) => one.wallet_id === vault.collectorWalletId && one.blockchain_id === row.id,
  )
  if (cold && cold.usable_at > ctx.now()) {
    const params = { address: cold.address, until: cold.usable_at.toISOString() }
    return { code: 'COLD_WALLET_TOO_NEW', params }
  }
  if (cold && vault.problem === null) return null
  return { code: 'COLD_WALLET_MISSING', params: { chain: row.code } }
}
