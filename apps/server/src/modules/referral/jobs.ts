import { job } from '../../jobs/jobs.ts'
import { archiveEnded } from './campaigns/service.ts'
import { wakeForgotten } from './counting/service.ts'
import { forgetTokens } from './referrers/service.ts'

export const wakeForgottenJob = job({
  queue: 'referral.wake-forgotten',
  worker: 'account-processor',
  run: wakeForgotten,
  everySeconds: 10,
})

export const archiveEndedJob = job({
  queue: 'referral.archive-ended',
  worker: 'account-processor',
  run: archiveEnded,
  everySeconds: 10,
})

export const forgetTokensJob = job({
  queue: 'referral.forget-tokens',
  worker: 'account-processor',
  run: forgetTokens,
  everySeconds: 3_600,
})
