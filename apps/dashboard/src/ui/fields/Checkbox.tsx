import { useId } from 'react'
import type { ReactNode } from 'react'

export type CheckboxProps = {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly name?: string
  readonly hint?: string
  /** It stays as it is; the hint says why. */
  readonly isOff?: boolean
}

/** A native checkbox whose label is part of the target. */
export function Checkbox({ label, checked, onChange, name, hint, isOff = false }: CheckboxProps) {
  const hintId = useId()
  return (
    <label className="flex items-start gap-2.5 py-1 text-body coarse:py-3">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        disabled={isOff}
        aria-describedby={hint === undefined ? undefined : hintId}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent-text"
      />
      <span>
        {label}
        {hint !== undefined && (
          <span id={hintId} className="block text-dense text-muted">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
