import type { Context } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { deleteUnusedSecrets } from './endpoints/change-endpoint.ts'
import { checkHealth, mailFailing } from './endpoints/health.ts'
import { discardPending, releaseAheadOfClock } from './record/attempt-store.ts'
import { releaseQuarantined } from './deliveries/service.ts'
import { deleteOldDeliveries } from './record/store.ts'

/** How long deliveries are stored, so that they can be read and sent again (api.md H8). */
const RETENTION_MS = 90 * 24 * 3_600_000

export const checkJob = job({
  queue: 'webhooks.check',
  formerly: ['webhooks.tidy'],
  worker: 'webhook-processor',
  run: check,
  everySeconds: 30,
})

export const purgeJob = job({
  queue: 'webhooks.purge',
  worker: 'webhook-processor',
  run: purge,
  heartbeatSeconds: 600,
  deadlineSeconds: 3600,
  everySeconds: 3600,
})

/**
 * Discards deliveries that were stored while their endpoint was being disabled, sends those whose quarantine ended or whose
 * times a wrong clock set, checks endpoints, and sends a mail about those that have failed for days.
 */
async function check(ctx: Context): Promise<void> {
  await discardPending(ctx)
  await releaseQuarantined(ctx)
  await releaseAheadOfClock(ctx)
  await checkHealth(ctx)
  await mailFailing(ctx)
}

async function purge(ctx: Context): Promise<void> {
  await deleteOldDeliveries(ctx, new Date(ctx.now().getTime() - RETENTION_MS))
  await deleteUnusedSecrets(ctx)
}
