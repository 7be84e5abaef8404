import type { BlockRef, ChainSession, ChainReader, Transfer } from '@kassa/chains/adapter.ts'
import { usdForUnits } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { type Asset, listAssets } from '../../blockchains/chains/service.ts'
import type { ReceivedTransfer } from '../../payments/crediting/service.ts'
import { currentPrice } from '../../prices/service.ts'
import { setting } from '../../settings/service.ts'

/** What must be true of a transfer of weight before its money counts. */
export type Check = Pick<ReceivedTransfer, 'quorumRequired' | 'doubt'>
/** By `transferKey`; transfers of no weight are absent. */
export type Checks = ReadonlyMap<string, Check>

export const NO_CHECKS: Checks = new Map()

/** Names a transfer within a blockchain. */
export function transferKey({ txId, leg }: Pick<Transfer, 'txId' | 'leg'>): string {
  return `${txId} ${leg}`
}

/** Nodes keep about 128 block states; a few are spent on the way (W-5). */
const STATES_KEPT = 120

/** Balances compared at the same time: the node also serves the head. */
const AT_ONCE = 4

type Reading = { readonly chain: ChainSession; readonly reader: ChainReader; readonly headHeight: number }

/**
 * Finds the transfers of weight: they need a second source (money.md 2.8), and those of tokens must have raised the balance
 * by what their logs say (W-5). Asks the node, so it stays outside transactions.
 */
export async function checkTransfers(
  ctx: Context,
  { chain, reader, headHeight }: Reading,
  transfers: readonly Transfer[],
): Promise<Checks> {
  if (transfers.length === 0) return NO_CHECKS
  const heavy = await highValueAmong(ctx, transfers)
  const groups = arrivals(heavy).filter(({ block }) => headHeight - block.height <= STATES_KEPT)
  const doubtful = new Set<string>()
  for (let at = 0; at < groups.length; at += AT_ONCE) {
    const asked = groups.slice(at, at + AT_ONCE)
    const short = await Promise.all(asked.map((group) => isShort(ctx, { chain, reader }, group, transfers)))
    for (const [index, { keys }] of asked.entries()) if (short[index]) for (const key of keys) doubtful.add(key)
  }
  return new Map(
    heavy.map((transfer) => {
      const key = transferKey(transfer)
      return [key, { quorumRequired: true, doubt: doubtful.has(key) ? ('AMOUNT_MISMATCH' as const) : null }]
    }),
  )
}

/** The transfers worth the setting or more; without a price every one might be. */
async function highValueAmong(ctx: Context, transfers: readonly Transfer[]): Promise<Transfer[]> {
  const least = parseUnits((await setting(ctx, 'deposits.quorum_usd')) ?? '', 6)
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const worth = new Map<number, (units: bigint) => bigint | null>()
  for (const id of new Set(transfers.map(({ assetId }) => assetId))) worth.set(id, await valueIn(ctx, assets.get(id)))
  return transfers.filter(({ assetId, units }) => {
    const usd = worth.get(assetId)?.(units) ?? null
    return usd === null || usd >= least
  })
}

async function valueIn(ctx: Context, asset: Asset | undefined): Promise<(units: bigint) => bigint | null> {
  const facts = asset && (await currentPrice(ctx, asset))
  if (!asset || !facts) return () => null
  return (units) => usdForUnits({ units, price: facts.price, decimals: asset.decimals, rounding: 'up' })
}

type Arrival = { readonly block: BlockRef; readonly assetId: number; readonly to: string; readonly keys: string[] }

/** Tokens by what one balance shows: the same token to the same address in the same block. */
function arrivals(transfers: readonly Transfer[]): Arrival[] {
  const tokens = transfers.filter(({ kind }) => kind === 'token')
  const groups = Map.groupBy(tokens, ({ block, assetId, to }) => `${block.hash} ${assetId} ${to}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? [{ block: first.block, assetId: first.assetId, to: first.to, keys: group.map(transferKey) }] : []
  })
}

/** A node that cannot tell any more leaves the evidence as it is: the log of a token that was chosen by hand. */
async function isShort(
  ctx: Context,
  { chain, reader }: Pick<Reading, 'chain' | 'reader'>,
  { block, assetId, to }: Arrival,
  transfers: readonly Transfer[],
): Promise<boolean> {
  const logged = transfers
    .filter((one) => one.block.hash === block.hash && one.assetId === assetId && one.to === to && one.kind === 'token')
    .reduce((total, { units }) => total + units, 0n)
  try {
    return (await reader.receivedUnits(chain, { assetId, address: to }, block)) < logged
  } catch (error) {
    if (chain.signal.aborted) throw error
    ctx.log.warn({ blockchain: chain.chain.blockchain.code, to, err: error }, 'a balance could not be compared')
    return false
  }
}
