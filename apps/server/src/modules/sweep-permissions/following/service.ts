/** Following: the loop of the role `sender` that brings gas to addresses, broadcasts what they signed, and asks what it is worth. */
import { asSystem, type Context } from '../../../context.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import type { Running } from '../../../jobs/worker-group.ts'
import { followPermissions } from './follow-permissions.ts'

export { reopenPermissions } from './reopen-permissions.ts'
export { followTopUp } from './top-ups.ts'

/** A signature or a top-up wakes the loop; at this interval it looks again at what waits. */
const EVERY_MS = 2000

/** The name of a pass in worker reports. */
const PASS = 'permissions.follow'

/** Starts to look after permissions. `stop` waits for the pass in hand. */
export function startFollowingPermissions(ctx: Context, reportRun: ReportRun): Running {
  const system = asSystem(ctx)
  const stopping = new AbortController()
  const memory = { broadcastAt: new Map<bigint, number>() }
  let waking = new AbortController()
  const unsubscribe = ctx.live.subscribe((message) => {
    if (message === null || message.name === 'permission.due') waking.abort()
  })
  const finished = (async () => {
    while (!stopping.signal.aborted) {
      waking = new AbortController()
      await followPermissions(system, memory).then(
        () => reportRun(PASS, null),
        (err: unknown) => {
          ctx.log.error({ err }, 'permissions could not be looked after')
          reportRun(PASS, err instanceof Error ? err.message : String(err))
        },
      )
      await system.sleep(EVERY_MS, AbortSignal.any([stopping.signal, waking.signal]))
    }
  })()
  return {
    stop: async () => {
      unsubscribe()
      stopping.abort()
      await finished
    },
  }
}
