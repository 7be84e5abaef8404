import { job } from '../../../jobs/jobs.ts'
import { applyDueLinks } from './service.ts'

/** A change waits a day, so a minute more does not matter. */
const EVERY_SECONDS = 60

export const applyDueLinksJob = job({
  queue: 'wallets.apply-due-links',
  worker: 'account-processor',
  everySeconds: EVERY_SECONDS,
  run: applyDueLinks,
})
