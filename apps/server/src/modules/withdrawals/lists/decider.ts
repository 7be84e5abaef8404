import type { Permission } from '@kassa/contract/permissions.ts'

import type { Context, ProjectScope } from '../../../context.ts'
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
