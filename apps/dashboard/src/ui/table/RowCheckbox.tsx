import type { ChangeEvent } from 'react'

export type RowCheckboxProps = {
  readonly label: string
  readonly checked: boolean
  /** Some of what it stands for is picked. */
  readonly partly?: boolean
  readonly onToggle: (isExtended: boolean) => void
}

/** The box with which a row is picked; Shift takes the rows between along. */
export function RowCheckbox({ label, checked, partly = false, onToggle }: RowCheckboxProps) {
  const change = ({ nativeEvent }: ChangeEvent) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
  return (
    <label className="relative flex size-9 items-center justify-center coarse:size-11">
      <input
        type="checkbox"
        checked={checked}
        ref={(box) => {
          if (box !== null) box.indeterminate = partly
        }}
        onChange={change}
        className="size-4 accent-accent-text"
      />
      <span className="sr-only">{label}</span>
    </label>
  )
}
