import { useId } from 'react'

export type SliderProps = {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly step?: number
  readonly onChange: (value: number) => void
}

/** A number chosen with the browser's own range input, which the arrow keys move too. */
export function Slider({ label, onChange, ...range }: SliderProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-body font-medium">
        {label}
      </label>
      <input
        id={id}
        type="range"
        {...range}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        className="h-6 w-full accent-accent-text"
      />
    </div>
  )
}
