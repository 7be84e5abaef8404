import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { CONTROL, CONTROL_BOX, Field } from './Field.tsx'

export type NumberFieldProps = {
  readonly label: string
  /** Text as typed, so that an empty field is possible. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly name?: string
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly unit?: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isRequired?: boolean
}

/** A number: negative values become 0, the scroll wheel does nothing, leaving it out of range corrects it and says so. */
export function NumberField({
  label,
  value,
  onChange,
  hint,
  error,
  isRequired,
  unit,
  min = 0,
  max,
  onBlur,
  ...rest
}: NumberFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState<string>()

  useEffect(() => {
    const element = input.current
    // React listens to the wheel passively, where the default cannot be prevented.
    const ignore = (event: WheelEvent) => event.preventDefault()
    element?.addEventListener('wheel', ignore, { passive: false })
    return () => element?.removeEventListener('wheel', ignore)
  }, [])

  const change = (text: string) => {
    setNote(undefined)
    onChange(text.trim().startsWith('-') ? '0' : text)
  }
  const leave = () => {
    const number = Number(value)
    if (value !== '' && number < min) {
      onChange(String(min))
      setNote(t`The smallest value is ${min}.`)
    }
    if (value !== '' && max !== undefined && number > max) {
      onChange(String(max))
      setNote(t`The largest value is ${max}.`)
    }
    onBlur?.()
  }

  return (
    <Field label={label} hint={note ?? hint} error={error} isRequired={isRequired}>
      {(control) => (
        <div className={CONTROL_BOX}>
          <input
            {...control}
            {...rest}
            ref={input}
            type="number"
            inputMode="decimal"
            min={min}
            max={max}
            value={value}
            autoComplete="off"
            onChange={(event) => change(event.currentTarget.value)}
            onBlur={leave}
            className={`${CONTROL} tabular-nums`}
          />
          {unit !== undefined && <span className="pe-3 text-muted">{unit}</span>}
        </div>
      )}
    </Field>
  )
}
