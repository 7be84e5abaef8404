import type { Replay } from '@kassa/contract/webhooks/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { momentOf, wallClock } from '../../../lib/time/time-zone.ts'
import { utcIso } from '../../../lib/time/time.ts'

export type ReplayValues = {
  /** Days of the operator, as a date field gives them. */
  readonly from: string
  readonly to: string
  /** Also what was received. */
  readonly everything: boolean
}

const DAY_MS = 24 * 60 * 60_000

/** The longest time a replay may cover (api.md H11). */
const MOST_DAYS = 31

/** Returns the form for the last seven days. */
export function replayValues(now: Date): ReplayValues {
  return { from: dayText(new Date(now.getTime() - 6 * DAY_MS)), to: dayText(now), everything: false }
}

/** Returns every field that fails, with its text. */
export function replayErrors({ from, to }: ReplayValues): { from?: string; to?: string } {
  if (from === '') return { from: t`From is required` }
  if (to === '') return { to: t`To is required` }
  if (to < from) return { to: t`The end date must not be before the start date` }
  const days = (wallStart(to).getTime() - wallStart(from).getTime()) / DAY_MS + 1
  return days > MOST_DAYS ? { to: t`Choose at most ${MOST_DAYS} days` } : {}
}

/** Returns the request: from the start of the first day to the end of the last, as the operator's clock has them. */
export function replayRequest({ from, to, everything }: ReplayValues): Replay {
  const dayAfter = new Date(wallStart(to).getTime() + DAY_MS)
  return {
    from: utcIso(momentOf(wallStart(from))),
    to: utcIso(new Date(momentOf(dayAfter).getTime() - 1)),
    onlyFailed: !everything,
  }
}

/** Returns what was queued, in words. */
export function queuedText(queued: number): string {
  if (queued === 0) return t`Nothing to send again in these days.`
  return plural(queued, {
    one: '# delivery is sent again.',
    other: '# deliveries are sent again, in their order.',
  })
}

/** Midnight of a day, as the operator's clock shows it. */
function wallStart(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

function dayText(date: Date): string {
  return wallClock(date).toISOString().slice(0, 10)
}
