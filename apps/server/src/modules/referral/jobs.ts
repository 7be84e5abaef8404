import { job } from '../../jobs/jobs.ts'
import { archiveEnded } from './campaigns/service.ts'
import { countForgotten, countLog } from './counting/service.ts'
import { logsToCount } from './logs/service.ts'
import { forgetTokens } from './referrers/service.ts'

export const countLogJob = job({
  queue: logsToCount,
  worker: 'account-processor',
  run: (ctx, { logId }) => countLog(ctx, BigInt(logId)),
  concurrency: 2,
})

export const countForgottenJob = job({
  queue: 'referral.count-forgotten',
  worker: 'account-processor',
  run: countForgotten,
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
