/** What payouts would do if they were requested now (D22), by the same checks as theirs; creates nothing. */
import { type Cause, textOf } from '@kassa/contract/kit/reason.ts'
import { POLICY_RULES } from '@kassa/contract/payout-policy/reasons.ts'
import type { PayoutQuestion, PayoutQuote } from '@kassa/contract/withdrawals/batch.ts'
import { PAYOUT_WAITS, type PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { findHotWallet } from '../../wallets/hot/service.ts'
import { dollars } from '../payouts/convert-reward.ts'
import { decideAgain } from '../payouts/question.ts'
import { currentPrice } from '../../prices/service.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { freeFloat } from '../lists/figures.ts'
import { type PayoutPolicy, policyOf } from '../policy/service.ts'
import { trimmed } from '../record/announce.ts'
import { facts } from '../record/decision-facts.ts'
import { requirementOf } from '../record/rules.ts'
import { coinOf } from '../sending/fees.ts'
import { waitOfBlock } from '../sending/rules.ts'
import { requestsOfRows } from './create-batch.ts'
import { foreseeRows } from './foresee-rows.ts'
import { judgeBatch, type JudgedRow } from './judge-batch.ts'

/** Says what payouts would cost, what the policy decides about their sum, and why they would wait. @throws as `judgeBatch` */
export async function quotePayouts(
  ctx: Context,
  projectId: number,
  rows: PayoutQuestion['rows'],
): Promise<PayoutQuote> {
  const policy = await policyOf(ctx, projectId)
  const judged = await judgeBatch(ctx, policy, await requestsOfRows(ctx, projectId, rows))
  const totals: PayoutQuote['totals'] = []
  for (const ofAsset of Map.groupBy(judged, ({ request }) => request.asset.id).values()) {
    totals.push(await totalOf(ctx, policy, ofAsset))
  }
  return { amountInUSD: trimmed(sumUsd(judged)), policy: strictest(policy, judged), totals }
}

/** The decision that asks for most: where earnings bound one asset only, its rows need more than the others. */
function strictest(policy: PayoutPolicy, rows: readonly JudgedRow[]): PayoutQuote['policy'] {
  const asked = rows.flatMap(({ judged, amountUsd, listTotals }) => {
    const { decision } = judged
    if (decision.kind === 'block') return []
    return [{ ...requirementOf(decision), rule: decision.rule, facts: facts(policy, judged, amountUsd, listTotals) }]
  })
  const [first] = asked.toSorted((one, other) => other.needed - one.needed)
  if (!first) throw new Error('A list without rows was judged')
  const { needed, fourEyes, rule, facts: sums } = first
  return {
    rule: { ...rule, text: textOf(POLICY_RULES, rule) },
    approvalsNeeded: needed,
    fourEyes,
    hourUsed: trimmed(sums.hourUsed),
    hourLimit: trimmed(sums.hourLimit),
    dayUsed: trimmed(sums.dayUsed),
    dayLimit: trimmed(sums.dayLimit),
  }
}

async function totalOf(
  ctx: Context,
  policy: PayoutPolicy,
  rows: readonly JudgedRow[],
): Promise<PayoutQuote['totals'][number]> {
  const [first] = rows
  if (!first) throw new Error('An asset without rows was summed')
  const { asset } = first.request
  const units = rows.reduce((sum, row) => sum + row.units, 0n)
  const coin = await coinOf(ctx, asset)
  const wallet = await findHotWallet(ctx, { blockchainId: asset.blockchainId, purpose: 'payout' })
  const free = wallet ? await freeFloat(ctx, wallet.walletId) : new Map<number, bigint>()
  const foreseen = await foreseeRows(ctx, { rows, asset, coin, units, wallet, free })
  const wait = blockedWait(ctx, policy, rows) ?? foreseen.wait
  const available = free.get(asset.id) ?? 0n
  const amount = (of: bigint) => formatUnits(of, asset.decimals)
  return {
    blockchainCode: asset.blockchainCode,
    currencyCode: asset.currencyCode,
    payouts: rows.length,
    amount: amount(units),
    amountInUSD: trimmed(sumUsd(rows)),
    available: amount(available),
    availableAfter: amount(available - units),
    fee: foreseen.fee === null ? null : await feeView(ctx, coin, foreseen.fee),
    waitReason: wait?.code ?? null,
    waits: wait ? { ...wait, text: textOf(PAYOUT_WAITS, wait) } : null,
  }
}

/** Why the policy would let one of them wait: what stops the signing of a payout does not stop its request. */
function blockedWait(ctx: Context, policy: PayoutPolicy, rows: readonly JudgedRow[]): Cause<PayoutWaits> | undefined {
  for (const { judged, request } of rows) {
    const decision = decideAgain(ctx, policy, judged)
    const { blockchainCode: chain, currencyCode: currency } = request.asset
    // An asset that is switched off was refused before.
    const wait = decision.kind === 'block' ? waitOfBlock(decision, { chain, currency, isChainOn: true }) : undefined
    if (wait) return wait
  }
  return undefined
}

async function feeView(ctx: Context, coin: Asset, fee: bigint) {
  const priced = await currentPrice(ctx, coin)
  return {
    amount: formatUnits(fee, coin.decimals),
    currencyCode: coin.currencyCode,
    amountInUSD: priced && trimmed(dollars(fee, priced.price, coin)),
  }
}

function sumUsd(rows: readonly JudgedRow[]): string {
  return usd(rows.reduce((sum, { amountUsd }) => sum + usdOf(amountUsd), 0n))
}
