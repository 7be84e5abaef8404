export type SwitchProps = {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** For a cell whose row and column say it to those who see. */
  readonly isLabelHidden?: boolean
  readonly disabled?: boolean
  /** On, while something else prevents what it turns on: it stays grey. */
  readonly isWithoutEffect?: boolean
}

/** Turns something on or off at once; a form's yes or no is a Checkbox. */
export function Switch(props: SwitchProps) {
  const { label, checked, onChange, isLabelHidden = false, disabled, isWithoutEffect = false } = props
  const colour = isWithoutEffect ? '' : 'checked:border-accent-edge checked:bg-accent checked:before:bg-on-accent'
  return (
    <label className="inline-flex min-h-6 items-center gap-2 text-body coarse:min-h-11">
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className={`relative h-5 w-9 shrink-0 appearance-none rounded-full border border-border-control bg-sunken transition-colors duration-[120ms] before:absolute before:start-0.5 before:top-0.5 before:size-3.5 before:rounded-full before:bg-muted before:transition-transform before:duration-[120ms] checked:before:translate-x-4 rtl:checked:before:-translate-x-4 disabled:opacity-50 ${colour}`}
      />
      {isLabelHidden ? <span className="sr-only">{label}</span> : label}
    </label>
  )
}
