import { ChevronDown } from 'lucide-react'
import type { ReactNode, Ref } from 'react'

import { CONTROL_BOX, Field } from './Field.tsx'

export type SelectOption = { readonly value: string; readonly label: string; readonly disabled?: boolean }

export type SelectProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly name?: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** Marked only where an empty option could be left chosen. */
  readonly isRequired?: boolean
  readonly ref?: Ref<HTMLSelectElement>
}

/** One of up to a dozen options: the platform's own select. */
export function Select(props: SelectProps) {
  const { label, value, options, onChange, hint, error, isRequired = false, ref, ...rest } = props
  const canBeEmpty = value === '' || options.some((option) => option.value === '')
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired && canBeEmpty}>
      {(control) => (
        <div className={`${CONTROL_BOX} relative`}>
          <select
            {...control}
            {...rest}
            ref={ref}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            className="h-full w-full appearance-none rounded-control bg-transparent ps-3 pe-9 outline-none focus-visible:outline-none [&>option]:bg-raised"
          >
            <Options options={options} />
          </select>
          <ChevronDown
            aria-hidden
            size={16}
            strokeWidth={1.75}
            className="pointer-events-none absolute end-3 text-muted"
          />
        </div>
      )}
    </Field>
  )
}

/** The options of the platform's select. */
export function Options({ options }: { options: readonly SelectOption[] }) {
  return options.map(({ value, label, disabled }) => (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  ))
}
