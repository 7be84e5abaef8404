import { exactTime, utcIso } from '../../lib/time/time.ts'
import { Tooltip } from '../feedback/Tooltip.tsx'

/** A time in words that suit its place; local and UTC time with seconds on hover. */
export function Time({ at, text }: { at: Date; text: string }) {
  return (
    <Tooltip text={`${exactTime(at)} · ${utcIso(at)}`}>
      <time dateTime={at.toISOString()} className="whitespace-nowrap tabular-nums">
        {text}
      </time>
    </Tooltip>
  )
}
