import { exactTime, timeAgo, utcIso } from '../lib/time.ts'
import { useNow } from '../lib/ticker.ts'
import { Tooltip } from './Tooltip.tsx'

/** A time as lists show it; local and UTC time with seconds on hover. */
export function TimeAgo({ at }: { at: Date }) {
  const text = useNow((now) => timeAgo(at, now))
  return (
    <Tooltip text={`${exactTime(at)} · ${utcIso(at)}`}>
      <time dateTime={at.toISOString()} className="whitespace-nowrap tabular-nums">
        {text}
      </time>
    </Tooltip>
  )
}
