import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { type Badge, paymentBadge, paymentChips, paymentDifference } from '../../../labels/payment-labels.ts'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'

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

/** The badge and chips of a payment whose every fact is known. */
export function DetailStatus({ payment }: { payment: PaymentDetail }) {
  const { paymentState: state, confirmationCurrent: current, confirmationRequired: required } = payment
  const isOnHold = payment.transfers.some(({ status }) => status === 'quarantined')
  return (
    <PaymentStatus
      badge={paymentBadge({ ...payment, state, confirmations: { current, required } })}
      difference={paymentDifference({ ...payment, state, isOnHold })}
      chips={paymentChips({ ...payment, state, isOnHold })}
    />
  )
}
