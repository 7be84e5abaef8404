import { ageText } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/ticker.ts'
import { Time } from './Time.tsx'

/** How old something is, to the second while it is young: for what should have happened a moment ago. */
export function Age({ at }: { at: Date }) {
  return <Time at={at} text={useNow((now) => ageText(at, now))} />
}
