/**
 * Following: the loop of the role `sender` that brings gas to addresses, broadcasts what they signed, and asks whether it is
 * valid.
 */
import type { Context } from '../../../context.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import { startRepeating } from '../../../jobs/repeating.ts'
import type { Running } from '../../../jobs/worker-group.ts'
import { type FollowMemory, followPermissions } from './follow-permissions.ts'

export { reopenPermissions } from './reopen-permissions.ts'
export { followTopUp } from './top-ups.ts'

/** How often waiting permissions are checked again; a signature or a final top-up wakes the loop at once. */
const EVERY_MS = 2000

/** Starts to follow permissions. `stop` waits for the pass in progress. */
export function startFollowingPermissions(ctx: Context, reportRun: ReportRun): Running {
  const memory: FollowMemory = { broadcastAt: new Map(), followedTo: new Map() }
  return startRepeating(ctx, {
    name: 'permissions.follow',
    everyMs: EVERY_MS,
    wakesOn: 'permission.due',
    run: (system) => followPermissions(system, memory),
    reportRun,
  })
}
