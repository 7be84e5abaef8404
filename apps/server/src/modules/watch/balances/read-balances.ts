import type { Context } from '../../../context.ts'
import { listBlockchains } from '../../blockchains/chains/service.ts'
import { reorgLimitOf } from '../../../../../../packages/chains/src/chain.ts'
import { creditRises } from './credit-rises.ts'
import { takeSnapshots } from './take-snapshots.ts'
import { lastingHeight } from './rules.ts'
import { type BalanceSource, balanceSource } from './balance-source.ts'
import { findCursor } from '../blocks/cursor-store.ts'

/** A round that takes longer is given up; the next goes on. */
const ROUND_MS = 50_000

/** Looks at the balances of every active blockchain, one after the other; a node that fails keeps no other from it. */
export async function lookAtBalances(ctx: Context): Promise<void> {
  for (const row of await listBlockchains(ctx)) {
    if (row.status !== 'active') continue
    try {
      const source = await balanceSource(ctx, row, AbortSignal.timeout(ROUND_MS))
      if (source) await lookAt(ctx, source)
    } catch (error) {
      ctx.log.warn({ blockchain: row.code, err: error }, 'balances could not be looked at')
    }
  }
}

/** Settles what earlier looks showed, and looks again. */
export async function lookAt(ctx: Context, source: BalanceSource): Promise<void> {
  const cursor = await findCursor(ctx, source.chain.chain.blockchain.id)
  if (!cursor || cursor.state === 'halted') return
  const lasting = lastingHeight(cursor, reorgLimitOf(source.chain))
  await creditRises(ctx, source, cursor, lasting)
  await takeSnapshots(ctx, source, cursor, lasting)
}
