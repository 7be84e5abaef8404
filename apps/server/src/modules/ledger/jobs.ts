import type { JobDefinition } from '../../jobs/jobs.ts'
import { recordCheck } from './service.ts'

export const ledgerJobs: readonly JobDefinition[] = [
  {
    queue: 'ledger.check-books',
    run: async (ctx) => {
      const { ok, broken, chainDrift } = await recordCheck(ctx)
      if (!ok) ctx.log.error({ broken, chainDrift }, 'the books do not balance')
    },
    concurrency: 1,
    // Reading every address of a large install from a slow node takes minutes.
    heartbeatSeconds: 600,
    deadlineSeconds: 3_600,
    everySeconds: 3_600,
  },
]
