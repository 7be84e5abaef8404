/** The question that the policy decides about a payout, read from the database at one moment. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'

import type { Context } from '../../../context.ts'
import { type Asset, adapterOf, findBlockchain, getAsset } from '../../blockchains/chains/service.ts'
import { parsePayee } from '../addresses/service.ts'
import { addressFacts } from '../recipients/service.ts'
import { decide, type PayoutPolicy, type PolicyDecision, type PolicyQuestion } from '../policy/service.ts'
import { remainingEarnings, type WithdrawalRow } from '../record/service.ts'
import { findFirstPaid, lockAssetWindow, sumAsset, sumWindows, type WindowEnd } from '../record/store.ts'
import type { DecidedList } from '../record/tables.ts'

/** A payout as the policy sees it. */
export type Draft = {
  /** Null before it exists. */
  readonly id: bigint | null
  readonly projectId: number
  readonly asset: Asset
  readonly units: bigint
  /** Decimal text. */
  readonly amountUsd: string
  readonly address: string
  readonly key: Buffer
  /** When it was requested; an address unknown before is known from then on. */
  readonly askedAt: Date
  /** When it was decided: the windows of an hour and a day end there; null for one that is decided now. */
  readonly decidedAt: Date | null
  readonly alwaysByPeople: boolean
  /** It refunds money of a customer, which may not be part of the project's balance. */
  readonly isRefund?: boolean
  /** The list that it is requested with; absent for one that is requested alone. */
  readonly listTotals?: ListTotals
  /** The list that an existing payout was requested with. */
  readonly decidedList?: DecidedList
}

/** What the policy counts of a list that a payout is requested with: limits hold for the sum. */
export type ListTotals = {
  readonly payouts: number
  /** The value of the whole list. Decimal text. */
  readonly amountUsd: string
  /** What the payouts before it take of its asset. */
  readonly unitsBefore: bigint
  /** What the whole list takes of its asset. */
  readonly unitsOfAsset: bigint
}

export type Judged = {
  readonly decision: PolicyDecision
  readonly hourUsd: string
  readonly dayUsd: string
  readonly asset: Asset
  /** What the decision depends on besides the policy. */
  readonly question: PolicyQuestion
}

/** The bytes of the address of a payout. */
export function keyOf(ctx: Context, row: Pick<WithdrawalRow, 'blockchain_id' | 'to_address'>): Buffer {
  const blockchain = findDefinition(row.blockchain_id)
  return blockchain ? parsePayee(ctx, blockchain, row.to_address).key : Buffer.alloc(0)
}

/** Asks the policy about a payout, at the prices of its decision. Call it with the policy locked. */
export async function judge(ctx: Context, policy: PayoutPolicy, draft: Draft): Promise<Judged> {
  const { projectId, asset, units, address, decidedList } = draft
  const { hourUsd, dayUsd } = await windowsBefore(ctx, draft)
  const blockchain = findDefinition(asset.blockchainId) ?? fail('BLOCKCHAIN_NOT_FOUND')
  const known = await addressFacts(ctx, projectId, { blockchain, address, key: draft.key })
  const question: PolicyQuestion = {
    usd: usdOf(draft.listTotals?.amountUsd ?? decidedList?.amountInUSD ?? draft.amountUsd),
    address,
    addressProblem: known.problem,
    knownSince: await knownSince(ctx, draft, known.knownSince),
    asset: {
      isPayable: await isPayable(ctx, asset),
      decimals: asset.decimals,
      minUnits: asset.limits.minWithdrawAmount,
      maxUnits: await leftOf(ctx, draft),
    },
    units,
    alwaysByPeople: draft.alwaysByPeople,
    isEarned: await isEarned(ctx, draft),
  }
  const asked = { hourUsd, dayUsd, asset, question }
  return { ...asked, decision: decideAgain(ctx, policy, asked) }
}

/** What the windows hold besides the payout: nothing of its list either, whose whole sum is added to them. */
function windowsBefore(ctx: Context, draft: Draft) {
  const { id, projectId, decidedList } = draft
  const except = id === null ? null : { id, listOf: decidedList?.first ?? null }
  return sumWindows(ctx, { projectId, ...windowOf(ctx, draft), except })
}

/** What a policy decides about a payout that was read already. */
export function decideAgain(
  ctx: Context,
  policy: PayoutPolicy,
  { hourUsd, dayUsd, question }: Omit<Judged, 'decision' | 'asset'>,
): PolicyDecision {
  return decide(policy, { lastHour: usdOf(hourUsd), lastDay: usdOf(dayUsd) }, question, ctx.now())
}

/** Whether the project has earned what it is to pay. A refund and an existing payout need no check: their hold proves it. */
async function isEarned(ctx: Context, draft: Draft): Promise<boolean> {
  const { id, projectId, asset, units, alwaysByPeople, isRefund = false } = draft
  if (id !== null || alwaysByPeople || isRefund) return true
  const left = await remainingEarnings(ctx, { project_id: projectId, asset_id: asset.id })
  return left === null || left >= (draft.listTotals?.unitsOfAsset ?? units)
}

function windowOf(ctx: Context, { decidedAt }: Pick<Draft, 'decidedAt'>): WindowEnd {
  return { now: decidedAt ?? ctx.now(), until: decidedAt }
}

/** Asks the policy about a stored payout, as it was decided; without `decidedAt` as if it were decided now. */
export async function judgeStored(
  ctx: Context,
  policy: PayoutPolicy,
  row: WithdrawalRow,
  decidedAt: Date | null,
): Promise<Judged> {
  return judge(ctx, policy, draftOfRow(ctx, row, await getAsset(ctx, row.asset_id), decidedAt))
}

/**
 * Asks the policy again about a payout that was judged in this transaction and is locked since: only what others of its list
 * have taken meanwhile is read anew.
 */
export async function judgeAgain(
  ctx: Context,
  policy: PayoutPolicy,
  row: WithdrawalRow,
  { question, asset }: Pick<Judged, 'question' | 'asset'>,
): Promise<Judged> {
  const draft = draftOfRow(ctx, row, asset, null)
  const { hourUsd, dayUsd } = await windowsBefore(ctx, draft)
  const fresh = { ...question, asset: { ...question.asset, maxUnits: await leftOf(ctx, draft) } }
  const asked = { hourUsd, dayUsd, asset, question: fresh }
  return { ...asked, decision: decideAgain(ctx, policy, asked) }
}

function draftOfRow(ctx: Context, row: WithdrawalRow, asset: Asset, decidedAt: Date | null): Draft {
  return {
    ...{ id: row.id, projectId: row.project_id, asset, units: BigInt(row.units) },
    ...{ amountUsd: row.amount_usd, address: row.to_address, key: keyOf(ctx, row), askedAt: row.created_at, decidedAt },
    alwaysByPeople: row.type === 'withdrawal',
    ...(row.decision.list && { decidedList: row.decision.list }),
  }
}

/** Whether payouts in an asset are possible: it is switched on, its network runs, and Kassa can send on that family. */
export async function isPayable(ctx: Context, asset: Asset): Promise<boolean> {
  if (!asset.withdrawalEnabled || !asset.visible || asset.disabledBecause !== null) return false
  const chain = await findBlockchain(ctx, asset.blockchainId)
  return chain?.status === 'active' && adapterOf(chain.definition.family)?.sender !== undefined
}

/** The earliest of: verified as a recipient, paid before, requested now. */
async function knownSince(ctx: Context, draft: Draft, verified: Date | null): Promise<Date> {
  const { projectId, asset, address, askedAt, id } = draft
  const paid = await findFirstPaid(ctx, { projectId, blockchainId: asset.blockchainId, address, except: id })
  const times = [askedAt, verified, paid].flatMap((one) => (one === null ? [] : [new Date(one).getTime()]))
  return new Date(Math.min(...times))
}

/** What the limits of the asset leave for one more payout; null without a limit. */
async function leftOf(ctx: Context, draft: Draft): Promise<bigint | null> {
  const { id, asset, listTotals } = draft
  const { withdrawLimit24Hr: day, withdrawLimit72Hr: days } = asset.limits
  if (day === null && days === null) return null
  await lockAssetWindow(ctx, asset.id)
  const used = await sumAsset(ctx, { assetId: asset.id, ...windowOf(ctx, draft), except: id })
  const left = [day === null ? null : day - used.day, days === null ? null : days - used.days]
  const least = left.filter((one) => one !== null).toSorted((a, b) => (a < b ? -1 : 1))[0] ?? 0n
  const most = least - (listTotals?.unitsBefore ?? 0n)
  return most > 0n ? most : 0n
}
