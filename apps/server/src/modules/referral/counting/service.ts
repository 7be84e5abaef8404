/**
 * Counting: every log meets the reward rule once per campaign that counts its event. What waits to be counted is counted as
 * soon as it is stored, together with what else waits then.
 */
export { countLog } from './count-log.ts'
export { countingLoop, countPending } from './count-pending.ts'
export { followPayments } from './follow-payments.ts'
export { wakeForgotten, wakeLogs } from './wake-logs.ts'
