import { clockTime } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/ticker.ts'
import { Time } from './Time.tsx'

/** When something happened, to the second: for lists whose rows follow each other within a minute. */
export function ClockTime({ at }: { at: Date }) {
  return <Time at={at} text={useNow((now) => clockTime(at, now))} />
}
