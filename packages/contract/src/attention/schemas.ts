import * as z from 'zod/mini'

import { Alarm } from '../alarms/schemas.ts'
import { int, ts } from '../kit/codecs.ts'

const counted = {
  /** False where it could not be read: the counts are 0 then and say nothing. */
  isRead: z.boolean(),
  count: int,
  /** The path below `/api/v1`, with its query, that lists exactly these. */
  list: z.string(),
}

/** What waits for a decision of the caller, by kind; null for a kind that the caller may not read or act upon. */
export const Attention = z.object({
  /** Payments of the status filter `NEEDS_ATTENTION`; of these, how many are short, over and late. */
  payments: z.nullable(z.object({ ...counted, short: int, over: int, late: int })),
  /** Deposits that match no payment, or are on hold. */
  deposits: z.nullable(z.object(counted)),
  /** Payouts that wait for the approval of the caller. */
  payouts: z.nullable(z.object(counted)),
  /** Sweeps that failed within a week, for those who may retry them. */
  sweeps: z.nullable(z.object(counted)),
  alarms: z.nullable(z.object({ ...counted, data: z.array(Alarm) })),
  /** 1 while a backup is due, for those who may write settings; the moment that the newest one holds, null where there is none. */
  backups: z.nullable(z.object({ ...counted, lastTakenAt: z.nullable(ts) })),
})

export type Attention = z.output<typeof Attention>
