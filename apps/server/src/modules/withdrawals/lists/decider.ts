import type { Permission } from '@kassa/contract/permissions.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { approvalPermission, approversOf } from '../policy/service.ts'
import type { WithdrawalRow } from '../record/tables.ts'
import type { Decider } from './waiting-store.ts'

/** The caller as one who decides about payouts. */
export function deciderOf(ctx: Context): Decider {
  return {
    operatorId: ctx.caller.kind === 'operator' ? ctx.caller.operatorId : null,
    mayApprove: approvable(ctx, 'payout:approve'),
    mayApproveRewards: approvable(ctx, 'referral_payout:approve'),
  }
}

/** The projects in which the caller holds a permission. */
function approvable({ caller }: Context, permission: Permission): ProjectScope['projectIds'] {
  if (caller.kind !== 'operator') return []
  if (caller.grants.everywhere.has(permission)) return 'every'
  return [...caller.grants.projects].filter(([, may]) => may.has(permission)).map(([id]) => id)
}

type Decided = Pick<WithdrawalRow, 'project_id' | 'type'>

/** Reads who may approve payouts like these, once for each project and type; returns the ids of those who may approve one of them. */
export async function approversFor(
  ctx: Context,
  rows: readonly Decided[],
): Promise<(row: Decided) => ReadonlySet<number>> {
  const groupOf = (row: Decided) => `${row.project_id} ${approvalPermission(row.type)}`
  const found = new Map<string, ReadonlySet<number>>()
  for (const row of rows) {
    if (found.has(groupOf(row))) continue
    const people = await approversOf(ctx, row.project_id, row.type)
    found.set(groupOf(row), new Set(people.map(({ operatorId }) => operatorId)))
  }
  return (row) => found.get(groupOf(row)) ?? new Set()
}
