import type { WithdrawalDetail } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'

import { deliveryBadge } from '../../../labels/delivery-labels.ts'
import { DeliveryWait } from '../../../labels/DeliveryWait.tsx'
import { JournalTable } from '../../../labels/journal/JournalTable.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'

/** What was booked: each entry debits accounts and credits others. */
export function LedgerTab({ payout: { journal } }: { payout: WithdrawalDetail }) {
  if (journal.length === 0) return <p className="py-4 text-muted">{t`Nothing has been booked for this payout.`}</p>
  return <JournalTable journal={journal} />
}

/** The webhooks that the shop was sent, and whether it received them. */
export function DeliveriesTab({ payout: { deliveries } }: { payout: WithdrawalDetail }) {
  if (deliveries.length === 0) return <p className="py-4 text-muted">{t`No endpoint was notified of this payout.`}</p>
  return (
    <KeyValue
      rows={deliveries.map((delivery) => ({
        label: delivery.event,
        value: (
          <span className="flex flex-col items-start gap-1">
            <StatusBadge {...deliveryBadge(delivery.status)} />
            <DeliveryWait delivery={delivery} />
          </span>
        ),
      }))}
    />
  )
}
