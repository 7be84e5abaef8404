import type { JobDefinition } from '../../jobs/jobs.ts'
import { forgetOld } from './service.ts'

export const authJobs: readonly JobDefinition[] = [
  { queue: 'auth.forgetOld', run: forgetOld, concurrency: 1, heartbeatSeconds: 60, everySeconds: 3600 },
]
