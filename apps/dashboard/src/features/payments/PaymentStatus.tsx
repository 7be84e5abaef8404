import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Badge } from './payment-states.ts'

export type PaymentStatusProps = {
  readonly badge: Badge
  /** By how much it is over or short, which belongs to its state. */
  readonly difference: string | undefined
  readonly chips: readonly Badge[]
}

/** A payment's state, and beside it what the state alone does not say. */
export function PaymentStatus({ badge, difference, chips }: PaymentStatusProps) {
  return (
    <span className="-mx-[3px] inline-block whitespace-normal min-[84rem]:whitespace-nowrap [&>*]:m-[3px]">
      <StatusBadge {...badge} />
      {difference !== undefined && (
        <span className="inline-block text-caption whitespace-nowrap text-muted tabular-nums">{difference}</span>
      )}
      {chips.map((chip) => (
        <StatusBadge key={chip.word} {...chip} />
      ))}
    </span>
  )
}
