import { job } from '../../jobs/jobs.ts'
import { addUpCoins, sealJournal } from './service.ts'

export const sealJournalJob = job({
  queue: 'ledger.seal-journal',
  worker: 'account-processor',
  run: sealJournal,
  everySeconds: 60,
})

export const addUpCoinsJob = job({
  queue: 'ledger.add-up-coins',
  worker: 'account-processor',
  run: addUpCoins,
  everySeconds: 10,
})
