import { timeRemaining } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/ticker.ts'

/** What is left until a time, in its largest unit; "Ended" afterwards. */
export function TimeRemaining({ until }: { until: Date }) {
  const text = useNow((now) => timeRemaining(until, now))
  return (
    <time dateTime={until.toISOString()} className="whitespace-nowrap tabular-nums">
      {text}
    </time>
  )
}
