import type { KeyboardEvent, ReactNode, Ref } from 'react'

import { CONTROL_EDGE, Field } from './Field.tsx'

export type TextAreaProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly name?: string
  readonly rows?: number
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly placeholder?: string
  readonly mono?: boolean
  readonly ref?: Ref<HTMLTextAreaElement>
}

/** Several lines of text; Ctrl or Command with Enter submits its form. */
export function TextArea({
  label,
  value,
  onChange,
  hint,
  error,
  isRequired,
  rows = 3,
  mono,
  ref,
  ...rest
}: TextAreaProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired}>
      {(control) => (
        <div className={`${CONTROL_EDGE} text-body coarse:text-field`}>
          <textarea
            {...control}
            {...rest}
            ref={ref}
            rows={rows}
            value={value}
            spellCheck={mono === true ? false : undefined}
            onChange={(event) => onChange(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            className={`min-w-0 flex-1 resize-y rounded-control bg-transparent px-3 py-2 outline-none focus-visible:outline-none ${mono === true ? 'font-mono text-dense break-all' : ''}`}
          />
        </div>
      )}
    </Field>
  )
}
