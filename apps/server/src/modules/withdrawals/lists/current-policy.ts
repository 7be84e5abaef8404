/** Payouts that wait for approval, as their next decision has them: what people see is what they are asked. */
import { usdOf } from '@kassa/primitives/money/usd.ts'

import type { Context } from '../../../context.ts'
import { approvalOf, approvalsNeeded, policyOf, type PayoutPolicy } from '../policy/service.ts'
import { factsAgain } from '../record/decision-facts.ts'
import { isStricter, requirementOf } from '../record/rules.ts'
import { digestOfPayout, isOfRewards } from '../record/service.ts'
import { sumWindows } from '../record/store.ts'
import type { WithdrawalRow } from '../record/tables.ts'

type Windows = Awaited<ReturnType<typeof sumWindows>>

/**
 * Returns payouts as stored, and those that wait for approval under the present policy where that is stricter: with its
 * requirement, its bytes and its reason, as `underCurrentPolicy` has them. Rewards keep the amount that they were converted to
 * last. What has not been signed counts in no window, so a sum is read once for a project or a list.
 */
export async function withCurrentPolicy<Row extends WithdrawalRow>(ctx: Context, rows: readonly Row[]): Promise<Row[]> {
  const policies = new Map<number, PayoutPolicy>()
  const windows = new Map<string, Windows>()
  const found: Row[] = []
  for (const row of rows) {
    if (row.status !== 'pending-approval') {
      found.push(row)
      continue
    }
    const policy = policies.get(row.project_id) ?? (await policyOf(ctx, row.project_id))
    policies.set(row.project_id, policy)
    found.push({ ...row, ...(await changesOf(ctx, { row, policy, windows })) })
  }
  return found
}

type Asked = {
  readonly row: WithdrawalRow
  readonly policy: PayoutPolicy
  /** Sums that were read before, by project and list. */
  readonly windows: Map<string, Windows>
}

async function changesOf(ctx: Context, { row, policy, windows }: Asked): Promise<Partial<WithdrawalRow>> {
  const stands = { needed: row.approvals_needed, fourEyes: row.four_eyes }
  const usd = usdOf(row.decision.list?.amountInUSD ?? row.amount_usd)
  if (!isStricter(approvalsNeeded(policy, usd), stands)) return {}
  const listOf = row.decision.list?.first ?? null
  const key = `${row.project_id} ${listOf}`
  const sums = windows.get(key) ?? (await windowsOf(ctx, row, listOf))
  windows.set(key, sums)
  const history = { lastHour: usdOf(sums.hourUsd), lastDay: usdOf(sums.dayUsd) }
  const decision = approvalOf(policy, history, { usd, alwaysByPeople: isOfRewards(row) })
  const now = requirementOf(decision)
  if (!isStricter(now, stands)) return {}
  const asked = { policy_version: policy.version, approvals_needed: now.needed, four_eyes: now.fourEyes }
  const digest = digestOfPayout({ ...row, ...asked })
  return { ...asked, digest, decision: factsAgain(policy, { decision, ...sums }, row) }
}

function windowsOf(ctx: Context, { id, project_id: projectId }: WithdrawalRow, listOf: string | null) {
  return sumWindows(ctx, { projectId, now: ctx.now(), until: null, except: { id, listOf } })
}
