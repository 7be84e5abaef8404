import { job } from '../../jobs/jobs.ts'
import { forgetNotices } from './service.ts'

export const forgetNoticesJob = job({
  queue: 'unlisted-transfers.forget',
  worker: 'deposit-processor',
  run: forgetNotices,
  everySeconds: 3_600,
})
