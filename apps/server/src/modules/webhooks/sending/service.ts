/** Sending: the dispatcher of a worker that claims due deliveries, sends them and writes their outcomes. */
import { asSystem, type Context, type LiveMessage } from '../../../context.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import { createDispatcher } from './dispatcher.ts'

/** Due deliveries wake the dispatcher at once; a sweep at this interval finds due retries and deliveries of a process that died. */
const SWEEP_EVERY_MS = 500

/** The name of a sweep in worker reports. */
const SWEEP = 'webhooks.deliver'

/** Starts to send deliveries, woken by those that any process commits. `stop` waits for the requests in flight. */
export function startDelivering(ctx: Context, reportRun: ReportRun): { readonly stop: () => Promise<void> } {
  const dispatcher = createDispatcher(asSystem(ctx))
  const sweep = () =>
    void dispatcher.sweep().then(
      () => reportRun(SWEEP, null),
      (err: unknown) => {
        ctx.log.error({ err }, 'due deliveries could not be read')
        reportRun(SWEEP, err instanceof Error ? err.message : String(err))
      },
    )
  const unsubscribe = ctx.live.subscribe((message) => {
    if (message === null) sweep()
    else if (message.projectId !== null && isDue(message)) dispatcher.wake(message.projectId)
  })
  const timer = setInterval(sweep, SWEEP_EVERY_MS)
  sweep()
  return {
    stop: async () => {
      unsubscribe()
      clearInterval(timer)
      await dispatcher.stop()
    },
  }
}

function isDue({ name, data }: LiveMessage): boolean {
  return name === 'delivery.changed' && data.isDue === true
}
