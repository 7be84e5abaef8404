/** One approval of several payouts (D20): all of them or none, each over exactly its own bytes. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ApprovedList } from '@kassa/contract/withdrawals/schemas.ts'

import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import {
  approveLocked,
  getWithdrawal,
  type LockedPayout,
  operatorOf,
  requireDecider,
  underCurrentPolicy,
} from '../payouts/decide-payout.ts'
import { namingInRefusal } from '../payouts/naming.ts'
import { lockPolicy, type PayoutPolicy } from '../policy/service.ts'
import { insertApprovalList } from '../record/approval-store.ts'
import { listOf } from '../record/approvals.ts'
import { type WithdrawalRow, wordsOf } from '../record/service.ts'
import { lockWithdrawal } from '../record/store.ts'
import type { ApprovalList } from '../record/tables.ts'

type Scope = Pick<ProjectScope, 'projectIds'>

/** Payouts to approve together: as locked, as the current policy sees them, and the list over their bytes. */
export type AskedList = {
  readonly locked: readonly LockedPayout[]
  readonly rows: readonly WithdrawalRow[]
  readonly list: ApprovalList
}

/**
 * Locks payouts and says what approving them covers. Every policy is locked before any payout, and payouts follow in the order of
 * their assets, so that two lists, or a list and single payouts, never wait for each other in turn.
 * @throws WITHDRAWAL_NOT_FOUND, FORBIDDEN, PAYOUT_NOT_PENDING, and as `underCurrentPolicy`
 */
export async function lockList(tx: Context, scope: Scope, ids: readonly number[]): Promise<AskedList> {
  const known = readLists(tx).get(tx.db)
  if (known !== undefined && known.ids === ids.join(' ')) return known.asked
  const asked = await readList(tx, scope, ids)
  readLists(tx).set(tx.db, { ids: ids.join(' '), asked })
  return asked
}

/**
 * What was locked and judged to describe a call is what the call itself is about: nobody else changes it until their transaction
 * ends.
 */
const readLists = remembered(() => new WeakMap<Context['db'], { readonly ids: string; readonly asked: AskedList }>())

async function readList(tx: Context, scope: Scope, ids: readonly number[]): Promise<AskedList> {
  const found: WithdrawalRow[] = []
  for (const id of ids) found.push(await naming(id, () => getWithdrawal(tx, scope, String(id))))
  const policies = new Map<number, PayoutPolicy>()
  for (const id of [...new Set(found.map((row) => row.project_id))].toSorted((a, b) => a - b)) {
    policies.set(id, await lockPolicy(tx, id))
  }
  const locked: LockedPayout[] = []
  const rows: WithdrawalRow[] = []
  for (const { id, project_id } of found.toSorted(byAsset)) {
    await naming(Number(id), async () => {
      const policy = policies.get(project_id) ?? fail('WITHDRAWAL_NOT_FOUND')
      const row = (await lockWithdrawal(tx, id)) ?? fail('WITHDRAWAL_NOT_FOUND')
      requireDecider(tx, row)
      if (row.status !== 'pending-approval') return fail('PAYOUT_NOT_PENDING')
      const now = await underCurrentPolicy(tx, { row, policy })
      locked.push({ row, policy, earlier: now.judged })
      rows.push(now.row)
    })
  }
  return { locked, rows, list: listOf(rows.map(({ digest }) => digest)) }
}

/**
 * Adds the approval of the caller to each of these payouts, in one transaction: the windows and limits of each count those before
 * it. A payout whose bytes differ from the list is refused, and then none is approved.
 * @throws as `approvePayout`, with the number of the payout in `data`
 */
export async function approveList(ctx: Context, scope: Scope, ids: readonly number[], note: string) {
  return inTransaction(ctx, async (tx): Promise<ApprovedList> => {
    const { locked, list } = await lockList(tx, scope, ids)
    const operatorId = operatorOf(tx)
    const id = await insertApprovalList(tx, { ...list, operator_id: operatorId, at: tx.now() })
    const by = { operatorId, note, list: { ...list, id } }
    const payouts: ApprovedList['payouts'] = []
    for (const one of locked) {
      const row = await naming(Number(one.row.id), () => approveLocked(tx, one, by))
      payouts.push({ id: Number(row.id), status: row.status })
    }
    return { payouts, digest: list.digest.toString('hex'), words: wordsOf(list.digest) }
  })
}

function byAsset(one: WithdrawalRow, other: WithdrawalRow): number {
  return one.asset_id - other.asset_id || (one.id < other.id ? -1 : 1)
}

/** Says in a refusal which payout of the list it is about. */
function naming<T>(id: number, work: () => Promise<T>): Promise<T> {
  return namingInRefusal({ name: `Payout ${id}`, data: { payoutID: id } }, work)
}
