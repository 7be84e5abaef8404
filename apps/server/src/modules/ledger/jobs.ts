import type { JobDefinition } from '../../jobs/jobs.ts'
import { sealJournal } from './service.ts'

export const ledgerJobs: readonly JobDefinition[] = [
  {
    queue: 'ledger.seal-journal',
    run: async (ctx) => void (await sealJournal(ctx)),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 60,
  },
]
