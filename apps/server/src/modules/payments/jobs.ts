import { job } from '../../jobs/jobs.ts'
import { expirePayments } from './lifecycle/service.ts'
import { foldCounts } from './search/search-payments.ts'

export const expireJob = job({
  queue: 'payments.expire',
  worker: 'deposit-processor',
  run: expirePayments,
  heartbeatSeconds: 30,
  everySeconds: 1,
})

export const foldCountsJob = job({
  queue: 'payments.fold-counts',
  worker: 'deposit-processor',
  run: foldCounts,
  everySeconds: 10,
})
