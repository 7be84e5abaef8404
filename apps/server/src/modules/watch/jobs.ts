import type { Context } from '../../context.ts'
import type { JobDefinition } from '../../jobs/jobs.ts'
import { lookAtBalances } from './balances/read-balances.ts'
import { checkLag } from './follow/lag-monitor.ts'
import {
  continueRescans,
  type HeightRequest,
  startAudits,
  takeHeightRequest,
  takeRescanRequest,
  type TransactionRequest,
} from './rescan/service.ts'

export const watchJobs: readonly JobDefinition[] = [
  {
    queue: 'watch.rescan-transaction',
    run: (ctx: Context, request: TransactionRequest) => takeRescanRequest(ctx, request),
    concurrency: 2,
    heartbeatSeconds: 120,
  },
  {
    queue: 'watch.rescan',
    run: (ctx: Context, request: HeightRequest) => takeHeightRequest(ctx, request),
    concurrency: 1,
    heartbeatSeconds: 60,
  },
  {
    queue: 'watch.rescans',
    run: (ctx: Context) => continueRescans(ctx),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 5,
  },
  {
    queue: 'watch.audit',
    run: (ctx: Context) => startAudits(ctx),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 600,
  },
  {
    queue: 'watch.balances',
    run: (ctx: Context) => lookAtBalances(ctx),
    concurrency: 1,
    heartbeatSeconds: 120,
    everySeconds: 60,
  },
  {
    queue: 'watch.pace',
    run: (ctx: Context) => checkLag(ctx),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 15,
  },
]
