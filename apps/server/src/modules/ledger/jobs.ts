import { job } from '../../jobs/jobs.ts'
import { sealJournal } from './seal-journal.ts'

export const sealJournalJob = job({
  queue: 'ledger.seal-journal',
  worker: 'account-processor',
  run: sealJournal,
  everySeconds: 60,
})
