import { useId } from 'react'

export type RadioOption = { readonly value: string; readonly label: string; readonly hint?: string }

export type RadioGroupProps = {
  readonly legend: string
  readonly options: readonly RadioOption[]
  readonly value: string
  readonly onChange: (value: string) => void
}

/** One of a few options that need a sentence each: native radios, whose labels are part of the target. */
export function RadioGroup({ legend, options, value, onChange }: RadioGroupProps) {
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-body font-medium">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex items-start gap-2.5 rounded-control border border-border bg-surface px-3 py-2.5 text-body has-checked:border-accent-text coarse:py-3"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="mt-0.5 size-4 shrink-0 accent-accent-text"
          />
          <span className="min-w-0">
            {option.label}
            {option.hint !== undefined && (
              <span className="block text-dense wrap-anywhere text-muted">{option.hint}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
