/** Sending: the dispatcher of a worker that claims due deliveries, sends them and writes their outcomes. */
import { EVENT_TYPES } from '@kassa/contract/webhooks/events.ts'

import { asSystem, type Context } from '../../../context.ts'
import type { LiveChannel, LiveMessage } from '../../../events/live-channel.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import { createDispatcher } from './dispatcher.ts'
import { isDeliverable } from '../record/rules.ts'

/** News comes at once; this often everything due is looked for: retries, and what a dead process left. */
const LOOK_EVERY_MS = 500

/** What a turn is called that looks for what is due. */
const LOOKING = 'webhooks.deliver'

const NEWS: ReadonlySet<string> = new Set(EVENT_TYPES.filter(isDeliverable))

/** Sends deliveries from now on, woken by what is committed anywhere. `stop` waits for the requests under way. */
export function startDelivering(
  ctx: Context,
  channel: LiveChannel,
  note: ReportRun,
): { readonly stop: () => Promise<void> } {
  const dispatcher = createDispatcher(asSystem(ctx))
  const sweep = () =>
    void dispatcher.sweep().then(
      () => note(LOOKING, null),
      (err: unknown) => {
        ctx.log.error({ err }, 'deliveries could not be looked for')
        note(LOOKING, err instanceof Error ? err.message : String(err))
      },
    )
  const unsubscribe = channel.subscribe((message) => {
    if (message === null) sweep()
    else if (message.projectId !== null && isNews(message)) dispatcher.wake(message.projectId)
  })
  const timer = setInterval(sweep, LOOK_EVERY_MS)
  sweep()
  return {
    stop: async () => {
      unsubscribe()
      clearInterval(timer)
      await dispatcher.stop()
    },
  }
}

function isNews({ name, data }: LiveMessage): boolean {
  return NEWS.has(name) || (name === 'delivery.changed' && data.isDue === true)
}
