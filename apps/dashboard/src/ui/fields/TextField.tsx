import type { HTMLInputAutoCompleteAttribute, KeyboardEvent, ReactNode, Ref } from 'react'

import { CONTROL, CONTROL_BOX, Field } from './Field.tsx'

export type TextFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly onBlur?: () => void
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  readonly name?: string
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'tel' | 'date' | 'datetime-local'
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly aside?: ReactNode
  readonly prefix?: ReactNode
  readonly suffix?: ReactNode
  readonly placeholder?: string
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'url'
  readonly maxLength?: number
  readonly readOnly?: boolean
  readonly autoFocus?: boolean
  readonly mono?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** One line of text. It is trimmed when the field is left; pasting is never blocked. */
export function TextField({
  label,
  value,
  hint,
  error,
  isRequired,
  aside,
  prefix,
  suffix,
  mono,
  ref,
  ...input
}: TextFieldProps) {
  const { onChange, onBlur, autoComplete = 'off', type = 'text', ...rest } = input
  const leave = () => {
    const trimmed = value.trim()
    if (trimmed !== value) onChange?.(trimmed)
    onBlur?.()
  }
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired} aside={aside}>
      {(control) => (
        <div className={CONTROL_BOX}>
          {prefix !== undefined && <span className="ps-3 text-muted">{prefix}</span>}
          <input
            {...control}
            {...rest}
            ref={ref}
            type={type}
            value={value}
            autoComplete={autoComplete}
            spellCheck={mono === true ? false : undefined}
            onChange={(event) => onChange?.(event.currentTarget.value)}
            onBlur={leave}
            className={`${CONTROL} ${mono === true ? 'font-mono text-dense' : ''}`}
          />
          {suffix !== undefined && <span className="pe-3 text-muted">{suffix}</span>}
        </div>
      )}
    </Field>
  )
}
