import { job } from '../../jobs/jobs.ts'
import { rescanRequests } from '../blockchains/chains/service.ts'
import { transactionRequests } from '../payments/diagnosis/service.ts'
import { checkBalances } from './balances/read-balances.ts'
import { checkLag } from './follow/lag-monitor.ts'
import { continueRescans, startAudits, takeHeightRequest, takeRescanRequest } from './rescan/service.ts'

const worker = 'deposit-processor'

export const rescanTransactionJob = job({
  queue: transactionRequests,
  worker,
  run: takeRescanRequest,
  concurrency: 2,
  heartbeatSeconds: 120,
})

export const rescanJob = job({ queue: rescanRequests, worker, run: takeHeightRequest })

export const continueRescansJob = job({
  queue: 'watch.continue-rescans',
  formerly: ['watch.rescans'],
  worker,
  run: continueRescans,
  everySeconds: 5,
})

export const auditJob = job({ queue: 'watch.audit', worker, run: startAudits, everySeconds: 600 })

export const balancesJob = job({
  queue: 'watch.balances',
  worker,
  run: checkBalances,
  heartbeatSeconds: 120,
  everySeconds: 60,
})

export const lagJob = job({
  queue: 'watch.check-lag',
  formerly: ['watch.pace'],
  worker,
  run: checkLag,
  everySeconds: 15,
})
