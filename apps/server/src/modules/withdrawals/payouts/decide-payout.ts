/** What people decide about a payout: approve, reject, cancel. Each decision locks the policy first, then the payout. */
import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction, type ProjectScope, type StoredEvent } from '../../../context.ts'
import { approvalPermission, approversOf, lockPolicy, type PayoutPolicy } from '../policy/service.ts'
import { decided, isOfRewards, moveDecided, moveReleased, type WithdrawalRow } from '../record/service.ts'
import { insertApproval, listApprovals } from '../record/approval-store.ts'
import { factsAgain } from '../record/decision-facts.ts'
import { findWithdrawal, hasOpen, lockWithdrawal, updateWithdrawal } from '../record/store.ts'
import { convertedNow } from './convert-reward.ts'
import { policyForRequests } from './create-payout.ts'
import { judgeAgain, type Judged, judgeStored } from './question.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import { requirementOf, isStricter } from '../record/rules.ts'
import { counts, covers } from '../record/approvals.ts'
import type { ApprovalList, ApprovalRow } from '../record/tables.ts'

type Scope = Pick<ProjectScope, 'projectIds'>

/** Finds a payout that the caller sees. @throws WITHDRAWAL_NOT_FOUND */
export async function getWithdrawal(ctx: Context, { projectIds }: Scope, id: string): Promise<WithdrawalRow> {
  const found = /^[1-9]\d{0,17}$/.test(id) ? await findWithdrawal(ctx, BigInt(id), projectIds) : undefined
  return found ?? fail('WITHDRAWAL_NOT_FOUND')
}

/**
 * Locks the policy of its project, then a payout that the caller may see, so that no one else decides about it meanwhile.
 * @throws WITHDRAWAL_NOT_FOUND
 */
export async function lockForDecision(tx: Context, scope: Scope, id: string): Promise<LockedPayout> {
  const { id: found, project_id } = await getWithdrawal(tx, scope, id)
  const policy = await lockPolicy(tx, project_id)
  return { row: (await lockWithdrawal(tx, found)) ?? fail('WITHDRAWAL_NOT_FOUND'), policy }
}

/** Subscriber: refuses to archive a project whose payouts have not all ended (P6). @throws PROJECT_HAS_OPEN_MONEY */
export async function refuseWithOpenPayouts(tx: Context, { payload, projectId }: StoredEvent): Promise<void> {
  if (payload.status !== 'archived' || projectId === null) return
  await lockPolicy(tx, projectId)
  if (await hasOpen(tx, projectId)) fail('PROJECT_HAS_OPEN_MONEY')
}

/**
 * What is to be approved: the payout as stored; or, where the policy has become stricter since the request, the payout under
 * the stricter rule; with rewards converted at current prices. A change gives it new bytes, and earlier approvals no longer
 * count.
 * @throws as `refuseBlocked` and `convertedNow`
 */
export async function underCurrentPolicy(tx: Context, { row: stored, policy, earlier }: LockedPayout) {
  const row = await convertedNow(tx, stored)
  const judged = await judgeNow(tx, policyForRequests(policy), row, earlier)
  if (judged.decision.kind === 'block') return refuseBlocked(judged.decision, judged.asset)
  const now = requirementOf(judged.decision)
  if (!isStricter(now, { needed: row.approvals_needed, fourEyes: row.four_eyes })) return { row, judged, changes: null }
  const changes = decided(row, {
    policy_version: policy.version,
    approvals_needed: now.needed,
    four_eyes: now.fourEyes,
    decision: JSON.stringify(factsAgain(policy, judged, row)),
  })
  const asked = { policy_version: policy.version, approvals_needed: now.needed, four_eyes: now.fourEyes }
  return { row: { ...row, ...asked, digest: changes.digest as Buffer }, judged, changes }
}

/** What rewards pay changes with prices: what was read earlier may be about another amount. */
function judgeNow(tx: Context, policy: PayoutPolicy, row: WithdrawalRow, earlier?: Judged): Promise<Judged> {
  const isSame = earlier !== undefined && !isOfRewards(row)
  return isSame ? judgeAgain(tx, policy, row, earlier) : judgeStored(tx, policy, row, null)
}

const BY_OWN_KEY = 'It was asked for with an API key whose value was shown to you.'

/**
 * Adds the approval of the caller. The last required approval decides: it holds the money in this transaction.
 * @throws WITHDRAWAL_NOT_FOUND, PAYOUT_NOT_PENDING, PAYOUT_SELF_APPROVAL, PAYOUT_ALREADY_APPROVED, INSUFFICIENT_FUNDS, and as
 * `underCurrentPolicy`
 */
export async function approvePayout(ctx: Context, scope: Scope, id: string, note: string): Promise<WithdrawalRow> {
  return inTransaction(ctx, async (tx) =>
    approveLocked(tx, await lockForDecision(tx, scope, id), { operatorId: operatorOf(tx), note, list: null }),
  )
}

/** The list that an approval is given with, as stored. */
type GivenList = ApprovalList & { readonly id: bigint }

/** A payout that is locked with the policy of its project. */
export type LockedPayout = {
  readonly row: WithdrawalRow
  readonly policy: PayoutPolicy
  /** What the policy decided about it earlier in this transaction. */
  readonly earlier?: Judged
}

type By = { readonly operatorId: number; readonly note: string; readonly list: GivenList | null }

/**
 * Adds an approval to a payout that is locked with its policy. @throws as `approvePayout`; STEP_UP_MISMATCH where the list it is
 * given with does not contain its bytes
 */
export async function approveLocked(tx: Context, locked: LockedPayout, by: By): Promise<WithdrawalRow> {
  const { row: before } = locked
  requireDecider(tx, before)
  if (before.status !== 'pending-approval') return fail('PAYOUT_NOT_PENDING')
  const { row, changes } = await underCurrentPolicy(tx, locked)
  if (by.list !== null && !covers(by.list, row.digest)) return fail('STEP_UP_MISMATCH')
  if (changes) await updateWithdrawal(tx, row.id, changes)
  if (row.four_eyes && row.created_by_operator === by.operatorId) {
    return fail('PAYOUT_SELF_APPROVAL', row.created_by === 'merchant_api' ? { details: BY_OWN_KEY } : {})
  }
  const given = await addApproval(tx, row, by)
  const { project_id: projectId, status } = before
  tx.change({ status }, { status, approvals: `${given} of ${row.approvals_needed}` }, { projectId })
  if (given < row.approvals_needed) return (await findWithdrawal(tx, row.id, 'every')) ?? row
  const moved = await moveDecided(tx, row.id, { approved_by: by.operatorId, decided_at: tx.now() })
  return moved ?? fail('PAYOUT_NOT_PENDING')
}

/**
 * Stores an approval; returns how many count now. A payout may need approval again although enough people have approved exactly
 * these bytes, because of an asset limit or a promoter who was switched off: then any of them may approve once more.
 * @throws PAYOUT_ALREADY_APPROVED
 */
async function addApproval(tx: Context, row: WithdrawalRow, { operatorId, note, list }: By): Promise<number> {
  const approvers = new Set((await approversOf(tx, row.project_id, row.type)).map((one) => one.operatorId))
  const countIn = (some: readonly ApprovalRow[]) => some.filter((one) => counts(one, row, approvers)).length
  const earlier = await listApprovals(tx, [row.id])
  const isOwn = earlier.some((one) => one.operator_id === operatorId && one.digest.equals(row.digest))
  if (isOwn && countIn(earlier) < row.approvals_needed) return fail('PAYOUT_ALREADY_APPROVED')
  const { method, signature } = tx.confirmation ?? { method: 'window' as const, signature: null }
  const approval = { withdrawal_id: row.id, operator_id: operatorId, digest: row.digest, method, signature, note }
  if (!isOwn) await insertApproval(tx, { ...approval, list_id: list && list.id, at: tx.now() })
  const given = countIn(await listApprovals(tx, [row.id]))
  await announceApproval(tx, row, { operatorId, method, note, given })
  return given
}

/** Rejects a payout that waits for approval. @throws WITHDRAWAL_NOT_FOUND, PAYOUT_NOT_PENDING */
export async function rejectPayout(ctx: Context, scope: Scope, id: string, reason: string): Promise<WithdrawalRow> {
  return inTransaction(ctx, async (tx) => {
    const { row } = await lockForDecision(tx, scope, id)
    requireDecider(tx, row)
    const by = { rejected_by: operatorOf(tx), end_note: reason, ended_at: tx.now() }
    const moved = (await moveReleased(tx, row, 'reject', by)) ?? fail('PAYOUT_NOT_PENDING')
    noteEnd(tx, row, moved)
    return moved
  })
}

/** Cancels a payout that is not signed and releases its hold. @throws WITHDRAWAL_NOT_FOUND, PAYOUT_NOT_CANCELLABLE */
export async function cancelPayout(ctx: Context, scope: Scope, id: string, reason: string): Promise<WithdrawalRow> {
  return inTransaction(ctx, async (tx) => {
    const { row } = await lockForDecision(tx, scope, id)
    const end = { end_note: reason, ended_at: tx.now() }
    const moved = (await moveReleased(tx, row, 'cancel', end)) ?? fail('PAYOUT_NOT_CANCELLABLE')
    noteEnd(tx, row, moved)
    return moved
  })
}

/**
 * Refuses a caller who may decide only about payouts of another type; the route admits holders of either permission
 * somewhere.
 * @throws FORBIDDEN
 */
export function requireDecider({ caller }: Context, { type, project_id }: WithdrawalRow): void {
  if (caller.kind !== 'operator') return
  const permission = approvalPermission(type)
  const { everywhere, projects } = caller.grants
  if (everywhere.has(permission) || projects.get(project_id)?.has(permission)) return
  const project = String(project_id)
  fail('FORBIDDEN', { values: { permission, project }, data: { permission, project } })
}

function noteEnd(tx: Context, before: WithdrawalRow, after: WithdrawalRow): void {
  const facts = { payoutID: Number(after.id), status: after.status, note: after.end_note }
  tx.change({ payoutID: Number(after.id), status: before.status, note: '' }, facts, { projectId: after.project_id })
}

async function announceApproval(
  tx: Context,
  row: WithdrawalRow,
  { operatorId, method, note, given }: { operatorId: number; method: string; note: string; given: number },
): Promise<void> {
  await tx.events.emit(tx, {
    type: 'payout.approved',
    projectId: row.project_id,
    orderKey: `payout:${row.id}`,
    payload: { payout_id: Number(row.id), memberID: operatorId, method, note, given, needed: row.approvals_needed },
  })
}

/** The operator who calls. @throws UNAUTHORIZED */
export function operatorOf({ caller }: Context): number {
  return caller.kind === 'operator' ? caller.operatorId : fail('UNAUTHORIZED')
}
