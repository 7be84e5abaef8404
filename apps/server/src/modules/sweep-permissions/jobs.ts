import { job } from '../../jobs/jobs.ts'
import { warnOfFewDelegations } from './following/delegations-left.ts'

export const warnOfFewDelegationsJob = job({
  queue: 'sweep-permissions.supply',
  worker: 'deposit-processor',
  run: warnOfFewDelegations,
  everySeconds: 600,
})
