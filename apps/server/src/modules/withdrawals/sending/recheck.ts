/** Checks before a payout is signed what was true when it was decided: its bytes, the policy, and who approved it. */
import type { Cause } from '@kassa/contract/kit/reason.ts'
import type { PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'

import type { Context } from '../../../context.ts'
import { findBlockchain, getAsset } from '../../blockchains/chains/service.ts'
import { judgeStored } from '../payouts/service.ts'
import { approversOf, type PayoutPolicy } from '../policy/service.ts'
import { counts } from '../record/approvals.ts'
import { factsAgain } from '../record/decision-facts.ts'
import { emailWait, requirementOf } from '../record/rules.ts'
import { rewardsOwedBack } from '../record/rewards-owed.ts'
import { decided, digestOfPayout, type WithdrawalRow } from '../record/service.ts'
import { listApprovals } from '../record/approval-store.ts'
import { findEmailChange, findReferrerStatus } from '../record/store.ts'
import { walletChangeDelayHours } from '../../wallets/cold/service.ts'
import { waitOfBlock } from './rules.ts'

type Changes = ReturnType<typeof decided>

export type Verdict =
  | { readonly kind: 'sign' }
  | { readonly kind: 'wait'; readonly wait: Cause<PayoutWaits> }
  /** It needs approval again. */
  | { readonly kind: 'ask'; readonly changes: Changes }

/** Decides whether a payout may be signed now. Call it with the policy and the payout locked. */
export async function recheck(tx: Context, row: WithdrawalRow, policy: PayoutPolicy): Promise<Verdict> {
  const again = { policy_version: policy.version, four_eyes: row.four_eyes }
  const least = Math.max(1, row.approvals_needed)
  // The row was changed outside of this program: what it says now was not approved.
  if (!digestOfPayout(row).equals(row.digest)) return ask(row, { ...again, approvals_needed: least })
  const judged = await judgeStored(tx, policy, row, row.decided_at)
  const { decision } = judged
  if (decision.kind === 'block') {
    const wait = waitOfBlock(decision, await placeOf(tx, row))
    if (wait) return { kind: 'wait', wait }
    return ask(row, { ...again, approvals_needed: least })
  }
  if (!(await isStillEarned(tx, row))) return ask(row, { ...again, approvals_needed: least })
  const { needed: neededNow, fourEyes } = requirementOf(decision)
  // What its list was decided with still holds: that more was earned since, for one, asks for less.
  const needed = row.decision.list ? Math.max(neededNow, row.approvals_needed) : neededNow
  const isOtherNeeded = row.four_eyes || fourEyes
  const approvers = new Set((await approversOf(tx, row.project_id, row.type)).map((one) => one.operatorId))
  const given = (await listApprovals(tx, [row.id])).filter((one) =>
    counts(one, { ...row, four_eyes: isOtherNeeded }, approvers),
  )
  if (given.length >= needed) return (await waitForEmail(tx, row, policy)) ?? { kind: 'sign' }
  const decidedAnew = JSON.stringify(factsAgain(policy, judged, row))
  return ask(row, { ...again, four_eyes: isOtherNeeded, approvals_needed: needed, decision: decidedAnew })
}

/** The asset of a payout and its network, as a wait names them. */
async function placeOf(tx: Context, { asset_id, blockchain_id }: WithdrawalRow) {
  const { blockchainCode: chain, currencyCode: currency } = await getAsset(tx, asset_id)
  return { chain, currency, isChainOn: (await findBlockchain(tx, blockchain_id))?.status === 'active' }
}

/** A promoter who was switched off, or whose sales were reversed since, is paid only after people have approved again. */
async function isStillEarned(tx: Context, row: WithdrawalRow): Promise<boolean> {
  const { referrer_id: referrerId, reward_unit_id: unitId } = row
  if (referrerId === null) return true
  if ((await findReferrerStatus(tx, referrerId)) !== 'active') return false
  return unitId === null || (await rewardsOwedBack(tx, { referrerId, unitId })) === 0n
}

/**
 * Rewards wait after a change of their promoter's e-mail address, to which the code of the withdrawal is mailed, as a payout
 * waits for a new address; on mainnet at least as long as a changed wallet does. A change after the request counts too, so that
 * changing it to and fro gains no time.
 */
async function waitForEmail(tx: Context, row: WithdrawalRow, policy: PayoutPolicy): Promise<Verdict | null> {
  const changedAt = row.referrer_id === null ? null : await findEmailChange(tx, row.referrer_id)
  const hours = Math.max(policy.recipientDelayHours, walletChangeDelayHours(tx))
  const wait = emailWait(changedAt, { hours, now: tx.now() })
  return wait && { kind: 'wait', wait }
}

function ask(row: WithdrawalRow, changes: Parameters<typeof decided>[1]): Verdict {
  return { kind: 'ask', changes: decided(row, changes) }
}
