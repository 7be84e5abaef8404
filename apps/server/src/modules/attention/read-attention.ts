import type { Attention } from '@kassa/contract/attention/schemas.ts'
import type { Permission } from '@kassa/contract/permissions.ts'

import type { Context, ProjectScope } from '../../context.ts'
import { narrowScope } from '../../http/access.ts'
import { openAlarms } from '../alarms/service.ts'
import { readBackupDue } from '../backups/service.ts'
import { countUnmatched } from '../deposits/service.ts'
import { countNeedingAttention } from '../payments/search/service.ts'
import { countFailedSweeps } from '../sweeps/lists/service.ts'
import { countWaitingForCaller } from '../withdrawals/lists/service.ts'

/**
 * Counts what needs attention, each kind by the service that lists it and where the caller may read it. A kind that cannot be
 * read says so and does not hide the others.
 */
export async function readAttention(ctx: Context, scope: ProjectScope, project: string): Promise<Attention> {
  const kind = async <Counts extends { readonly count: number }>(
    permission: Permission,
    list: string,
    nothing: Counts,
    read: (projectIds: ProjectScope['projectIds']) => Promise<Counts>,
  ) => {
    const narrowed = narrowScope(ctx.caller, scope, permission)
    if (narrowed === null) return null
    try {
      return { isRead: true, ...(await read(narrowed.projectIds)), list }
    } catch (err) {
      ctx.log.warn({ err, list }, 'What needs attention could not be counted')
      return { isRead: false, ...nothing, list }
    }
  }
  const of = `/external-platform/${project}`
  return {
    payments: await kind(
      'payment:read',
      `${of}/payment/search?paymentStatus=NEEDS_ATTENTION`,
      { count: 0, short: 0, over: 0, late: 0 },
      (projectIds) => countNeedingAttention(ctx, projectIds),
    ),
    deposits: await kind('deposit:read', `${of}/missed-deposit`, NONE, async (projectIds) => ({
      count: await countUnmatched(ctx, projectIds),
    })),
    payouts: await kind('payout:read', `/project/${project}/withdrawals?waitingFor=me`, NONE, async (projectIds) => ({
      count: await countWaitingForCaller(ctx, projectIds),
    })),
    sweeps: await kind('sweep:write', `/project/${project}/sweeps?status=failed`, NONE, async (projectIds) => ({
      count: await countFailedSweeps(ctx, projectIds),
    })),
    alarms: await kind('system:read', '/system/alarms', { count: 0, data: [] }, async () => {
      const data = await openAlarms(ctx)
      return { count: data.length, data }
    }),
    backups: await kind('settings:write', '/system/backups', { count: 0, lastTakenAt: null }, async () => {
      const { isDue, lastTakenAt } = await readBackupDue(ctx)
      return { count: isDue ? 1 : 0, lastTakenAt }
    }),
  }
}

const NONE = { count: 0 }
