import { timeAgo } from '../lib/time.ts'
import { useNow } from '../lib/ticker.ts'
import { Time } from './Time.tsx'

/** A time as lists show it. */
export function TimeAgo({ at }: { at: Date }) {
  return <Time at={at} text={useNow((now) => timeAgo(at, now))} />
}
