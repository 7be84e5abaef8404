import { ageText, exactTime, utcIso } from '../lib/time.ts'
import { useNow } from '../lib/ticker.ts'
import { Tooltip } from './Tooltip.tsx'

/** How old something is, to the second while it is young: for what should have happened a moment ago. */
export function Age({ at }: { at: Date }) {
  const text = useNow((now) => ageText(at, now))
  return (
    <Tooltip text={`${exactTime(at)} · ${utcIso(at)}`}>
      <time dateTime={at.toISOString()} className="whitespace-nowrap tabular-nums">
        {text}
      </time>
    </Tooltip>
  )
}
