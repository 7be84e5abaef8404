import { ChevronDown } from 'lucide-react'

import { CONTROL_EDGE } from './Field.tsx'
import { Options, type SelectOption } from './Select.tsx'

export type InlineSelectProps = {
  /** Heard, not seen: the chosen words say what it is about. */
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChange: (value: string) => void
}

/** A choice in a toolbar: as high as a small button, with its label in its accessible name only. */
export function InlineSelect({ label, value, options, onChange }: InlineSelectProps) {
  return (
    <span className="inline-flex max-w-full">
      <span className={`${CONTROL_EDGE} relative h-8 text-dense coarse:h-11`}>
        <select
          aria-label={label}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className="h-full w-full min-w-0 appearance-none truncate rounded-control bg-transparent ps-2.5 pe-8 font-medium outline-none focus-visible:outline-none [&>option]:bg-raised"
        >
          <Options options={options} />
        </select>
        <ChevronDown
          aria-hidden
          size={14}
          strokeWidth={1.75}
          className="pointer-events-none absolute end-2.5 text-muted"
        />
      </span>
    </span>
  )
}
