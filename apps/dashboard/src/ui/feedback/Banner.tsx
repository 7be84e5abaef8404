import type { ReactNode } from 'react'

import { TONE_CHIP, TONE_GLYPH } from './tones.ts'
import type { Tone } from './tones.ts'

/** A state of the page that lasts: what it means, and the way out when there is one. */
export function Banner({ tone, children, action }: { tone: Tone; children: ReactNode; action?: ReactNode }) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border px-4 py-2.5 text-body ${TONE_CHIP[tone]}`}
    >
      <div className="flex min-w-0 flex-1 basis-56 gap-3">
        {/* Beside the first line, also where the action is higher. */}
        <span aria-hidden className="font-bold">
          {TONE_GLYPH[tone]}
        </span>
        <div className="min-w-0 flex-1">{children}</div>
      </div>
      {action}
    </div>
  )
}
