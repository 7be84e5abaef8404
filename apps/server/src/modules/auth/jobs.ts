import type { JobDefinition } from '../../jobs/jobs.ts'
import { MAIL_CHANGED_QUEUE, MAIL_RESET_QUEUE, mailPasswordChanged, mailReset } from './password-tokens.ts'
import { forgetOld } from './service.ts'

export const authJobs: readonly JobDefinition[] = [
  { queue: 'auth.forgetOld', run: forgetOld, concurrency: 1, heartbeatSeconds: 60, everySeconds: 3600 },
  { queue: MAIL_RESET_QUEUE, run: mailReset, concurrency: 2, heartbeatSeconds: 60 },
  { queue: MAIL_CHANGED_QUEUE, run: mailPasswordChanged, concurrency: 2, heartbeatSeconds: 60 },
]
