import { job } from '../../jobs/jobs.ts'
import { checkEntries, sealEntries } from './seals.ts'

export const sealEntriesJob = job({
  queue: 'audit.seal',
  worker: 'account-processor',
  run: (ctx) => sealEntries(ctx),
  everySeconds: 10,
})

export const checkEntriesJob = job({
  queue: 'audit.check',
  worker: 'account-processor',
  run: checkEntries,
  heartbeatSeconds: 600,
  deadlineSeconds: 3_600,
  everySeconds: 3_600,
})
