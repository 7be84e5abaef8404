import type { ReactNode } from 'react'

import { ClockTime } from '../time/ClockTime.tsx'
import { TONE_SOLID } from '../feedback/tones.ts'
import type { Tone } from '../feedback/tones.ts'

export type TimelineEvent = {
  readonly id: string
  readonly at: Date
  readonly title: string
  readonly text?: ReactNode
  readonly tone?: Tone
}

/** What happened, newest first. */
export function Timeline({ label, events }: { label: string; events: readonly TimelineEvent[] }) {
  return (
    <ol aria-label={label} className="relative">
      {events.map((event, at) => (
        <li key={event.id} className="relative flex gap-3 pb-5 last:pb-0">
          {at < events.length - 1 && (
            <span aria-hidden className="absolute start-[7px] top-5 bottom-0 w-px bg-border" />
          )}
          <span
            aria-hidden
            className={`mt-[3px] inline-flex size-[15px] shrink-0 items-center justify-center rounded-full border border-border bg-raised ${TONE_SOLID[event.tone ?? 'neutral']}`}
          >
            <span className="size-[7px] rounded-full bg-current" />
          </span>
          <div className="min-w-0 flex-1">
            <div className="flex items-baseline justify-between gap-x-3">
              <span className="min-w-0 font-medium wrap-anywhere">{event.title}</span>
              <span className="max-w-1/2 shrink-0 text-end text-dense text-muted">
                <ClockTime at={event.at} />
              </span>
            </div>
            {event.text !== undefined && <div className="mt-0.5 text-dense break-words text-muted">{event.text}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
