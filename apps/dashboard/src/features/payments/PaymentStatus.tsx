import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Badge } from './payment-states.ts'

/** A payment's state, and beside it what the state alone does not say. */
export function PaymentStatus({ badge, chips }: { badge: Badge; chips: readonly Badge[] }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5 py-1 lg:flex-nowrap">
      <StatusBadge {...badge} />
      {chips.map((chip) => (
        <StatusBadge key={chip.word} {...chip} />
      ))}
    </span>
  )
}
