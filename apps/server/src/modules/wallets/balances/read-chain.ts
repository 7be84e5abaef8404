import type { BalanceAsk } from '@kassa/chains/adapter.ts'
import type { Context } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import type { BlockchainRow } from '../../blockchains/chains/service.ts'
import { openSession, readHeldNow } from '../../blockchains/nodes/service.ts'

/** What an address held, and when a node said so. */
export type Reading = { readonly units: bigint; readonly at: Date }

/** Screens ask again and again: a reading this recent is used again. */
const FRESH_MS = 10_000

/** A screen waits for the answer: a node that takes longer counts as not answering. */
const TIMEOUT_MS = 5_000

/** Balances asked for in one request, as the comparison of addresses does. */
const BATCH = 100

/** Readings kept in memory: many more than an install has wallets and assets. */
const MOST_READINGS = 5_000

/** By blockchain, asset and address. */
const readings = remembered(() => new Map<string, Reading>())

/**
 * Returns what these addresses hold on a blockchain, in the order given, read now or within the last seconds. Where no node
 * answers it returns the last reading; undefined where there is none. Call it outside of transactions.
 */
export async function readChain(
  ctx: Context,
  blockchain: BlockchainRow,
  asks: readonly BalanceAsk[],
): Promise<{ readonly found: readonly (Reading | undefined)[]; readonly isStale: boolean }> {
  const known = readings(ctx)
  const nameOf = ({ assetId, address }: BalanceAsk) => `${blockchain.id}:${assetId}:${address}`
  const oldest = ctx.now().getTime() - FRESH_MS
  const missing = asks.filter((ask) => (known.get(nameOf(ask))?.at.getTime() ?? 0) < oldest)
  const isRead = missing.length === 0 || (await readMissing(ctx, blockchain, missing, nameOf))
  return { found: asks.map((ask) => known.get(nameOf(ask))), isStale: !isRead }
}

async function readMissing(
  ctx: Context,
  { id, code }: BlockchainRow,
  missing: readonly BalanceAsk[],
  nameOf: (ask: BalanceAsk) => string,
): Promise<boolean> {
  const known = readings(ctx)
  try {
    const session = await openSession(ctx, id, AbortSignal.timeout(TIMEOUT_MS), 'audit')
    if (!session) return false
    if (known.size + missing.length > MOST_READINGS) known.clear()
    for (let at = 0; at < missing.length; at += BATCH) {
      const batch = missing.slice(at, at + BATCH)
      const held = await readHeldNow(session, batch)
      if (held === null) return false
      for (const [place, units] of held.entries()) {
        const ask = batch[place]
        if (ask) known.set(nameOf(ask), { units, at: ctx.now() })
      }
    }
    return true
  } catch (err) {
    ctx.log.debug({ err, blockchain: code }, 'Balances of wallets could not be read')
    return false
  }
}
