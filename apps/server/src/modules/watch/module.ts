import type { Module } from '../../module.ts'
import { listenerGroup } from '../../jobs/worker-group.ts'
import { rescanTransactionJob, rescanJob, continueRescansJob, auditJob, balancesJob, lagJob } from './jobs.ts'
import { startWatching } from './follow/service.ts'

export const watch: Module = {
  name: 'watch',
  jobs: [rescanTransactionJob, rescanJob, continueRescansJob, auditJob, balancesJob, lagJob],
  workers: [{ role: 'watcher', start: (ctx) => listenerGroup(startWatching(ctx)) }],
}
