import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Badge } from './payment-states.ts'

/** A payment's state, and beside it what the state alone does not say. */
export function PaymentStatus({ badge, chips }: { badge: Badge; chips: readonly Badge[] }) {
  return (
    <span className="-mx-[3px] inline-block whitespace-normal lg:whitespace-nowrap [&>*]:m-[3px]">
      <StatusBadge {...badge} />
      {chips.map((chip) => (
        <StatusBadge key={chip.word} {...chip} />
      ))}
    </span>
  )
}
