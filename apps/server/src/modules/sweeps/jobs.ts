import { type Context, inTransaction } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { continueOnError } from '../../jobs/continue-on-error.ts'
import { sweepDue } from './automatic/service.ts'
import { followOwnWallets, listExpiredPlans } from './following/service.ts'
import { followDevices } from './offline/service.ts'
import { cancelSweep } from './record/service.ts'
import { lockSweep } from './record/store.ts'
import { deleteOldPlans } from './starting/service.ts'

const worker = 'deposit-processor'

export const sweepDueJob = job({
  queue: 'sweeps.plan',
  worker,
  run: sweepDue,
  heartbeatSeconds: 120,
  everySeconds: 60,
})

export const followOwnWalletsJob = job({ queue: 'sweeps.follow', worker, run: followOwnWallets, everySeconds: 5 })

export const followDevicesJob = job({ queue: 'sweeps.devices', worker, run: followDevices, everySeconds: 5 })

export const abandonSweepsJob = job({ queue: 'sweeps.abandon', worker, run: abandonPlanned, everySeconds: 60 })

const DAY_MS = 86_400_000

/**
 * Abandons sweeps that waited too long to be signed; a later plan uses the prices of its own time. One that fails does not
 * stop the others.
 */
async function abandonPlanned(ctx: Context): Promise<void> {
  const { attempt, end } = continueOnError(ctx)
  for (const id of await listExpiredPlans(ctx)) {
    await attempt({ sweepId: String(id) }, () =>
      inTransaction(ctx, async (tx) => {
        const row = await lockSweep(tx, id)
        if (row?.status === 'planned') await cancelSweep(tx, row, null)
      }),
    )
  }
  await deleteOldPlans(ctx, new Date(ctx.now().getTime() - DAY_MS))
  end()
}
