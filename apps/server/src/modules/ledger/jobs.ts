import type { JobDefinition } from '../../jobs/jobs.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { recordCheck } from '../reconciliation/service.ts'
import { sealJournal } from './seal-journal.ts'
import { BROKEN, whyOf } from '../reconciliation/jobs.ts'

export const ledgerJobs: readonly JobDefinition[] = [
  {
    queue: 'ledger.check-books',
    run: async (ctx) => {
      const { ok, broken, chainDrift } = await recordCheck(ctx)
      if (ok) return clearAlarm(ctx, BROKEN)
      ctx.log.error({ broken, chainDrift }, 'the books do not balance')
      await raiseAlarm(ctx, { ...BROKEN, text: `The books do not balance: ${whyOf(broken, chainDrift)}` })
    },
    concurrency: 1,
    // Reading every address of a large install from a slow node takes minutes.
    heartbeatSeconds: 600,
    deadlineSeconds: 3_600,
    everySeconds: 3_600,
  },
  {
    queue: 'ledger.seal-journal',
    run: async (ctx) => void (await sealJournal(ctx)),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 60,
  },
]
