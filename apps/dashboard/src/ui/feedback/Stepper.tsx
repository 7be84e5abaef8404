import { t } from '@lingui/core/macro'
import { Check } from 'lucide-react'

/** Where one stands in a row of steps; `current` counts from 0. */
export function Stepper({ label, steps, current }: { label: string; steps: readonly string[]; current: number }) {
  // On a phone only where one stands is named, or the end, so that all stand in one line; the other names are read aloud.
  const named = Math.min(current, steps.length - 1)
  return (
    <ol aria-label={label} className="flex flex-wrap items-center gap-x-1.5 gap-y-2 text-dense sm:gap-x-2">
      {steps.map((step, at) => (
        <li
          key={step}
          aria-current={at === current ? 'step' : undefined}
          className={`flex items-center gap-2 ${at === current ? 'font-medium text-ink' : 'text-muted'}`}
        >
          <span
            className={`inline-flex size-6 items-center justify-center rounded-full border text-caption font-semibold tabular-nums ${at <= current ? 'border-accent-edge bg-accent text-on-accent' : 'border-border bg-surface'}`}
          >
            {at < current ? (
              <Check
                aria-label={t({ message: 'done', comment: 'a step that lies behind' })}
                size={14}
                strokeWidth={2.5}
              />
            ) : (
              at + 1
            )}
          </span>
          <span className={at === named ? '' : 'max-sm:sr-only'}>{step}</span>
          {at < steps.length - 1 && <span aria-hidden className="ms-1 h-px w-6 bg-border max-sm:hidden" />}
        </li>
      ))}
    </ol>
  )
}
