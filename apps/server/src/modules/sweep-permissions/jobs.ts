import { job } from '../../jobs/jobs.ts'
import { warnOfFewDelegations } from './following/delegations-left.ts'
import { warnOfUnproven } from './following/unproven.ts'

export const warnOfFewDelegationsJob = job({
  queue: 'sweep-permissions.supply',
  worker: 'deposit-processor',
  run: warnOfFewDelegations,
  everySeconds: 600,
})

export const warnOfUnprovenJob = job({
  queue: 'sweep-permissions.unproven',
  worker: 'deposit-processor',
  run: warnOfUnproven,
  everySeconds: 60,
})
