import { job } from '../../jobs/jobs.ts'
import { sealJournal } from './service.ts'

export const sealJournalJob = job({
  queue: 'ledger.seal-journal',
  worker: 'account-processor',
  run: sealJournal,
  everySeconds: 60,
})
