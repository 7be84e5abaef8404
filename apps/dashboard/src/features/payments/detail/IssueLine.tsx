import type { ReactNode } from 'react'

import { TONE_CHIP, TONE_GLYPH } from '../../../ui/feedback/tones.ts'
import type { Tone } from '../../../ui/feedback/tones.ts'

export type IssueLineProps = {
  readonly tone: Tone
  readonly title: string
  /** What can be pressed: they move below the text together. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A situation on the left, its press on the right; below each other where it is narrow. */
export function IssueLine({ tone, title, actions, children }: IssueLineProps) {
  return (
    <div className={`flex items-start gap-2.5 rounded-card border px-3.5 py-3 ${TONE_CHIP[tone]}`}>
      <span aria-hidden className="w-3 shrink-0 text-center font-bold">
        {TONE_GLYPH[tone]}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-dense [&>p]:min-w-48 [&>p]:flex-[1_1_20rem]">
          {children}
          {actions !== undefined && <div className="flex flex-wrap gap-2 empty:hidden">{actions}</div>}
        </div>
      </div>
    </div>
  )
}
