import type { Context } from '../../../context.ts'
import { listBlockchains } from '../../blockchains/chains/service.ts'
import { reorgLimitOf } from '@kassa/chains/chain.ts'
import { isSilence } from '@kassa/chains/errors.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { creditRises } from './credit-rises.ts'
import { takeSnapshots } from './take-snapshots.ts'
import { lastingHeight } from './rules.ts'
import { type BalanceSource, balanceSource } from './balance-source.ts'
import { findCursor } from '../blocks/cursor-store.ts'

/** A pass that takes longer is cancelled; the next one continues. */
const PASS_TIMEOUT_MS = 50_000

/** Checks the balances of every active blockchain, one after the other; a failed node does not stop the others. */
export async function checkBalances(ctx: Context): Promise<void> {
  for (const row of await listBlockchains(ctx)) {
    if (row.status !== 'active') continue
    try {
      const source = await balanceSource(ctx, row, AbortSignal.timeout(PASS_TIMEOUT_MS))
      if (source) await checkBalancesOf(ctx, source)
    } catch (error) {
      ctx.log.warn({ blockchain: row.code, err: error }, 'balances could not be read')
    }
  }
}

/** Credits rises between earlier snapshots, and takes new ones. */
export async function checkBalancesOf(ctx: Context, source: BalanceSource): Promise<void> {
  const cursor = await findCursor(ctx, source.session.chain.blockchain.id)
  if (!cursor || cursor.state === 'halted') return
  const lasting = lastingHeight(cursor, reorgLimitOf(source.session))
  const { attempt, end } = continueOnError(ctx, isSilence)
  const about = { blockchain: source.session.chain.blockchain.code }
  await attempt(about, () => creditRises(ctx, source, cursor, lasting))
  await attempt(about, () => takeSnapshots(ctx, source, cursor, lasting))
  end()
}
