import { timeAgo, timeAgoInText } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/ticker.ts'
import { Time } from './Time.tsx'

/** A time as lists show it, or as a sentence says it. */
export function TimeAgo({ at, inText = false }: { at: Date; inText?: boolean }) {
  return <Time at={at} text={useNow((now) => (inText ? timeAgoInText(at, now) : timeAgo(at, now)))} />
}
