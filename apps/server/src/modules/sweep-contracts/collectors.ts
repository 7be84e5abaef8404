import type { VaultState } from '@kassa/chains/sweep-vaults.ts'
import { ApiError, fail } from '@kassa/contract/kit/api-error.ts'
import type { Collector, CollectorChoice, Collectors } from '@kassa/contract/wallets/contract-routes.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import type { Context } from '../../context.ts'
import type { Description } from '../../http/handlers.ts'
import { findBlockchain } from '../blockchains/chains/service.ts'
import { findCollector } from '../wallets/cold/service.ts'
import { parseAddress } from './chain/addresses.ts'
import { noteState } from './note-state.ts'
import { readState } from './chain/read-chain.ts'
import { lockVaultRows, updateVaultRow, type VaultRow } from './store.ts'
import { blockchainOf, requireGenuineVault, vaultMac, vaultRowsOf } from './vaults.ts'

/** The present state of each contract, by the id of its row. */
type States = ReadonlyMap<number, VaultState>

/** The sweep contracts of a deposit wallet in a family. @throws WALLET_NOT_FOUND */
async function rowsOf(ctx: Context, wallet: Wallet, familyName: string): Promise<VaultRow[]> {
  const family = findFamily(familyName)
  if (wallet.walletType !== 'deposit_wallet' || !family) return fail('WALLET_NOT_FOUND')
  return vaultRowsOf(ctx, { walletId: wallet.id, subType: wallet.walletSubType, familyId: family.id })
}

/**
 * Lists where the sweep contracts of a wallet send money, as their chains say now; where no node answers, as it was read last.
 * @throws WALLET_NOT_FOUND
 */
export async function listCollectors(ctx: Context, wallet: Wallet, family: string): Promise<Collectors> {
  const rows = await rowsOf(ctx, wallet, family)
  const states = new Map<number, VaultState>()
  for (const row of rows) {
    const state = await readState(ctx, await blockchainOf(ctx, row), row.address).catch(keepStored)
    if (state) states.set(row.id, state)
  }
  return show(ctx, { wallet, family, rows, states })
}

function keepStored(thrown: unknown): null {
  if (thrown instanceof ApiError && thrown.code === 'NODE_UNREACHABLE') return null
  throw thrown
}

/** Reads the contracts that a choice of a collector is about. Call it outside of transactions. @throws as `chosen` */
export async function readChoice(
  ctx: Context,
  wallet: Wallet,
  { family, ...choice }: CollectorChoice & { readonly family: string },
): Promise<States> {
  const { rows } = await chosen(ctx, wallet, { family, ...choice })
  const states = new Map<number, VaultState>()
  for (const row of rows) states.set(row.id, await readState(ctx, await blockchainOf(ctx, row), row.address))
  return states
}

/** @throws WALLET_NOT_FOUND, ADDRESS_INVALID, COLLECTOR_NOT_ON_CHAIN when there is no contract at all */
async function chosen(ctx: Context, wallet: Wallet, choice: CollectorChoice & { readonly family: string }) {
  const all = await rowsOf(ctx, wallet, choice.family)
  const named = choice.blockchainCode === undefined ? undefined : await findBlockchain(ctx, choice.blockchainCode)
  const rows = choice.blockchainCode === undefined ? all : all.filter((row) => row.blockchain_id === named?.id)
  const [first] = rows
  if (!first) return fail('COLLECTOR_NOT_ON_CHAIN', { details: 'This wallet has no sweep contract there.' })
  return { rows, address: parseAddress(ctx, await blockchainOf(ctx, first), choice.address) }
}

/**
 * Confirms the collector that contracts have on chain, on each named blockchain or on all of the wallet. It sets nothing on
 * chain: only the owner's key can change a collector.
 * @throws WALLET_NOT_FOUND, ADDRESS_INVALID, COLLECTOR_NOT_ON_CHAIN, COLLECTOR_NOT_COLD_WALLET, COLLECTOR_IS_MASTER
 */
export async function recordCollector(
  tx: Context,
  wallet: Wallet,
  { states, ...choice }: CollectorChoice & { readonly family: string; readonly states: States },
): Promise<Collectors> {
  const { rows, address } = await chosen(tx, wallet, choice)
  for (const row of await lockVaultRows(
    tx,
    rows.map(({ id }) => id),
  )) {
    await requireGenuineVault(tx, row)
    const state = states.get(row.id) ?? fail('COLLECTOR_NOT_ON_CHAIN')
    await requireConfirmable(tx, row, state, address)
    const changed = { ...row, collector: address }
    await updateVaultRow(tx, row.id, { collector: address, mac: vaultMac(tx, changed) })
    await noteState(tx, changed, state)
    const { code } = await blockchainOf(tx, row)
    const subject = { walletID: wallet.id, contract: row.address, blockchain: code }
    tx.change({ ...subject, collector: row.collector }, { ...subject, collector: address })
  }
  await tx.events.emit(tx, { type: 'wallet.changed', projectId: null, payload: { wallet_id: wallet.id } })
  const all = await rowsOf(tx, wallet, choice.family)
  return show(tx, { wallet, family: choice.family, rows: all, states })
}

async function requireConfirmable(tx: Context, row: VaultRow, state: VaultState, address: string): Promise<void> {
  if (state.collector !== address) {
    const { proposed } = state
    const isProposed = proposed?.collector === address
    const { name } = await blockchainOf(tx, row)
    fail('COLLECTOR_NOT_ON_CHAIN', {
      details: isProposed
        ? `It is proposed on ${name} and can be accepted there from ${proposed.readyAt.toISOString()} on.`
        : `On ${name} the contract sends money to ${state.collector}.`,
    })
  }
  if (state.owner === address && tx.config.network === 'mainnet') fail('COLLECTOR_IS_MASTER')
  const cold = await findCollector(tx, row.blockchain_id, address)
  if (!cold?.isUsable) fail('COLLECTOR_NOT_COLD_WALLET')
}

/**
 * Says where money will go once a collector is confirmed; null where it goes there already.
 * @throws WALLET_NOT_FOUND, ADDRESS_INVALID, COLLECTOR_NOT_ON_CHAIN, COLLECTOR_NOT_COLD_WALLET
 */
export async function describeCollector(
  ctx: Context,
  wallet: Wallet,
  choice: CollectorChoice & { readonly family: string },
): Promise<Description | null> {
  const { rows, address } = await chosen(ctx, wallet, choice)
  const changes = []
  for (const row of await lockVaultRows(
    ctx,
    rows.map(({ id }) => id),
  )) {
    if (row.collector === address) continue
    const { name: blockchain, code } = await blockchainOf(ctx, row)
    const cold = (await findCollector(ctx, row.blockchain_id, address)) ?? fail('COLLECTOR_NOT_COLD_WALLET')
    changes.push({ row, blockchain, code, cold })
  }
  if (changes.length === 0) return null
  return {
    lines: changes.map(({ row, blockchain, cold }) => ({
      code: 'collector_confirmed',
      params: { blockchain, contract: row.address, former: row.collector, address, wallet: cold.name },
    })),
    happens: changes.map(({ row, code, cold }) => ({
      ...{ walletId: wallet.id, blockchain: code, contract: row.address },
      ...{ from: row.collector, to: address, coldWalletId: cold.walletId },
    })),
  }
}

type Shown = {
  readonly wallet: Wallet
  readonly family: string
  readonly rows: readonly VaultRow[]
  readonly states: States
}

async function show(ctx: Context, { wallet, family, rows, states }: Shown): Promise<Collectors> {
  const collectors: Collector[] = []
  for (const row of rows) collectors.push(...(await collectorsOf(ctx, row, states.get(row.id))))
  return { walletID: wallet.id, family: findFamily(family)?.family ?? '', collectors }
}

/** The collector on chain; the one that operators confirmed, where it differs; and a proposed one. */
async function collectorsOf(ctx: Context, row: VaultRow, state: VaultState | undefined): Promise<Collector[]> {
  const { code: blockchainCode } = await blockchainOf(ctx, row)
  const onChain = state?.collector ?? row.collector_on_chain
  const stored =
    row.pending_collector === null ? null : { collector: row.pending_collector, readyAt: row.collector_ready_at }
  const proposed = state ? state.proposed : stored
  const addresses = [...new Set([onChain, row.collector, ...(proposed ? [proposed.collector] : [])])]
  const collectors: Collector[] = []
  for (const address of addresses) {
    const cold = await findCollector(ctx, row.blockchain_id, address)
    const isProposed = address === proposed?.collector && address !== onChain
    collectors.push({
      ...{ blockchainCode, contractAddressID: row.id, address },
      onChain: address === onChain,
      recorded: address === row.collector,
      allowed: cold?.isUsable ?? false,
      coldWalletID: cold?.walletId ?? null,
      readyAt: isProposed ? (proposed?.readyAt ?? null) : null,
      proposedBy: isProposed ? (state?.owner ?? row.owner) : null,
    })
  }
  return collectors
}
