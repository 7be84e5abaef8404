import type { BlockRef, ChainAdapter, ChainSession, ReceivedReader, Transfer } from '@kassa/chains/adapter.ts'
import { usdForUnits } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import type { ReceivedTransfer } from '../../payments/crediting/service.ts'
import { currentPrice } from '../../prices/service.ts'
import { setting } from '../../settings/service.ts'

/** The checks that a high-value transfer must pass before it counts. */
export type Check = Pick<ReceivedTransfer, 'quorumRequired' | 'quarantineReason'>
/** By `transferKey`; transfers below the threshold are absent. */
export type Checks = ReadonlyMap<string, Check>

export const NO_CHECKS: Checks = new Map<never, never>()

/** Names a transfer within a blockchain. */
export function transferKey({ txId, leg }: Pick<Transfer, 'txId' | 'leg'>): string {
  return `${txId} ${leg}`
}

/** Nodes keep about 128 block states; a few expire before the check runs, so it relies on this many. */
const STORED_STATES = 120

/** Balances compared at the same time, because the node also serves the head. */
const AT_ONCE = 4

type Reading = {
  readonly session: ChainSession
  readonly adapter: Pick<ChainAdapter, 'received'>
  readonly headHeight: number
  readonly assets: readonly Asset[]
}

/**
 * Finds the high-value transfers: they need a quorum (money.md 2.8), and those of tokens must have raised the balance
 * by what their logs state, because a log alone can be false (W-5). Reads from the node, so it runs outside
 * transactions.
 */
export async function checkTransfers(
  ctx: Context,
  { session, adapter: { received }, headHeight, assets }: Reading,
  transfers: readonly Transfer[],
): Promise<Checks> {
  if (transfers.length === 0) return NO_CHECKS
  const highValue = await highValueAmong(ctx, assets, transfers)
  const recent = highValue.filter(({ block }) => headHeight - block.height <= STORED_STATES)
  const mismatched = received ? await shortAmong(ctx, { session, received }, recent, transfers) : new Set<string>()
  return new Map(
    highValue.map((transfer) => {
      const key = transferKey(transfer)
      return [
        key,
        { quorumRequired: true, quarantineReason: mismatched.has(key) ? ('AMOUNT_MISMATCH' as const) : null },
      ]
    }),
  )
}

/** The transfers at or above the threshold; without a price, every transfer may be. */
async function highValueAmong(
  ctx: Context,
  assets: readonly Asset[],
  transfers: readonly Transfer[],
): Promise<Transfer[]> {
  const least = parseUnits((await setting(ctx, 'deposits.quorum_usd')) ?? '', 6)
  const valueOf = new Map<number, (units: bigint) => bigint | null>()
  for (const id of new Set(transfers.map(({ assetId }) => assetId))) {
    const asset = assets.find((one) => one.id === id)
    valueOf.set(id, await valueIn(ctx, asset))
  }
  return transfers.filter(({ assetId, units }) => {
    const usd = valueOf.get(assetId)?.(units) ?? null
    return usd === null || usd >= least
  })
}

async function valueIn(ctx: Context, asset: Asset | undefined): Promise<(units: bigint) => bigint | null> {
  const facts = asset && (await currentPrice(ctx, asset))
  if (!asset || !facts) return () => null
  return (units) => usdForUnits({ units, price: facts.price, decimals: asset.decimals, rounding: 'up' })
}

type BalanceGroup = { readonly block: BlockRef; readonly assetId: number; readonly to: string; readonly keys: string[] }

/** Groups token transfers by what one balance shows: the same token to the same address in the same block. */
function groupByBalance(transfers: readonly Transfer[]): BalanceGroup[] {
  const tokens = transfers.filter(({ kind }) => kind === 'token')
  const groups = Map.groupBy(tokens, ({ block, assetId, to }) => `${block.hash} ${assetId} ${to}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? [{ block: first.block, assetId: first.assetId, to: first.to, keys: group.map(transferKey) }] : []
  })
}

type Received = { readonly session: ChainSession; readonly received: ReceivedReader }

/** The keys of those among `recent` whose balance rose by less than their logs state. */
async function shortAmong(
  ctx: Context,
  from: Received,
  recent: readonly Transfer[],
  transfers: readonly Transfer[],
): Promise<Set<string>> {
  const groups = groupByBalance(recent)
  const mismatched = new Set<string>()
  for (let at = 0; at < groups.length; at += AT_ONCE) {
    const asked = groups.slice(at, at + AT_ONCE)
    const short = await Promise.all(asked.map((group) => isShort(ctx, from, group, transfers)))
    for (const [index, { keys }] of asked.entries()) if (short[index]) for (const key of keys) mismatched.add(key)
  }
  return mismatched
}

/** A node without that state cannot disprove the transfer: the log of a listed token stays the evidence. */
async function isShort(
  ctx: Context,
  { session, received }: Received,
  { block, assetId, to }: BalanceGroup,
  transfers: readonly Transfer[],
): Promise<boolean> {
  const logged = transfers
    .filter((one) => one.block.hash === block.hash && one.assetId === assetId && one.to === to && one.kind === 'token')
    .reduce((total, { units }) => total + units, 0n)
  try {
    return (await received.units(session, { assetId, address: to }, block)) < logged
  } catch (error) {
    if (session.signal.aborted) throw error
    ctx.log.warn({ blockchain: session.chain.blockchain.code, to, err: error }, 'a balance could not be compared')
    return false
  }
}
