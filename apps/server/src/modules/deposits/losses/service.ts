/**
 * Losses by reorganisations: a chain takes a deposit back after a refund has paid its claim out (money.md 2.3). `losses:reorg`
 * pays for the missing claim, so that the deposit can be reverted and reading continues; an alarm informs the operator.
 */
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { post } from '../../ledger/service.ts'
import type { Deposit } from '../deposit.ts'
import { listRefunded, listRefundedAbove, type RefundedDeposit } from './store.ts'
import { lossEntry } from '../postings.ts'

/** Books a loss for what refunds took from deposits above a height. Call it before these deposits are reverted. */
export async function bookLosses(tx: Context, above: { blockchainId: number; toHeight: number }): Promise<void> {
  const lost = await listRefundedAbove(tx, above)
  await post(
    tx,
    lost.map((one) => lossEntry(one, 'loss')),
  )
  for (const one of lost) {
    const asset = await getAsset(tx, one.assetId)
    const { blockchainCode, currencyCode, decimals } = asset
    const amount = formatUnits(one.taken, decimals)
    const params = { blockchainCode, amount, currencyCode, txHash: one.txId, payoutID: Number(one.payoutId) }
    await raiseAlarm(tx, { kind: 'refund_unfunded', subject: subjectOf(one), params })
  }
}

/** Books the losses back of deposits that became final again, whatever these deposits count for now. */
export async function returnLosses(tx: Context, final: readonly Deposit[]): Promise<void> {
  const back = await listRefunded(
    tx,
    final.filter(({ revision }) => revision > 1).map(({ id }) => id),
  )
  await post(
    tx,
    back.map((one) => lossEntry(one, 'return')),
  )
  for (const one of back) await clearAlarm(tx, { kind: 'refund_unfunded', subject: subjectOf(one) })
}

function subjectOf({ id }: Pick<RefundedDeposit, 'id'>): string {
  return `deposit ${id}`
}
