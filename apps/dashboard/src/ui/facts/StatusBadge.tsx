import { TONE_CHIP, TONE_GLYPH } from '../feedback/tones.ts'
import type { Tone } from '../feedback/tones.ts'

export type StatusBadgeProps = {
  readonly tone: Tone
  readonly word: string
  /** The state's name on the wire, for those who look it up. */
  readonly wire?: string
}

/** A state as a word, with a glyph and a colour of its tone. */
export function StatusBadge({ tone, word, wire }: StatusBadgeProps) {
  return (
    <span
      title={wire}
      className={`inline-flex h-6 items-center gap-1.5 rounded-full border px-2 text-caption font-medium whitespace-nowrap tabular-nums max-[20rem]:h-auto max-[20rem]:rounded-card max-[20rem]:whitespace-normal ${TONE_CHIP[tone]}`}
    >
      <span aria-hidden className="inline-block w-2.5 shrink-0 text-center text-[10px] leading-none font-bold">
        {TONE_GLYPH[tone]}
      </span>
      {word}
    </span>
  )
}
