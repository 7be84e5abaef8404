import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { ClockTime } from '../../../ui/time/ClockTime.tsx'
import { deliveryBadge } from '../../../labels/delivery-labels.ts'
import { DeliveryWait } from '../../../labels/DeliveryWait.tsx'
import type { EndpointHosts } from '../payment/delivery-line.ts'
import { ResendButton } from '../actions/ResendButton.tsx'
import { EmptyTab } from './EmptyTab.tsx'

/** The webhooks sent to the shop, newest first, with every attempt. */
export function WebhooksTab({ payment, hosts }: { payment: PaymentDetail; hosts: EndpointHosts }) {
  const { deliveries } = payment
  const newestFirst = deliveries.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-end gap-2">
        <ResendButton payment={payment} />
      </div>
      {deliveries.length === 0 ? (
        <EmptyTab>
          <Trans>No webhook has been sent for this payment.</Trans>
        </EmptyTab>
      ) : (
        <List deliveries={newestFirst} hosts={hosts} />
      )}
    </div>
  )
}

function List({ deliveries, hosts }: { deliveries: readonly Delivery[]; hosts: EndpointHosts }) {
  return (
    <ul className="divide-y divide-border rounded-card border border-border bg-surface">
      {deliveries.map((delivery) => (
        <li key={delivery.deliveryID} className="px-4 py-3.5">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0 font-medium break-words">{delivery.event}</p>
            <StatusBadge {...deliveryBadge(delivery.status)} />
          </div>
          <p className="mt-1 text-dense text-muted">
            <Receiver delivery={delivery} host={hosts.get(delivery.webhookID)} />
          </p>
          <DeliveryWait delivery={delivery} />
          <Attempts delivery={delivery} />
        </li>
      ))}
    </ul>
  )
}

/** Where a message went, and when it was made. */
function Receiver({ delivery: { webhookID, createdAt }, host }: { delivery: Delivery; host: string | undefined }) {
  if (host === undefined) {
    return (
      <Trans>
        to endpoint {webhookID} · <ClockTime at={createdAt} />
      </Trans>
    )
  }
  return (
    <Trans>
      to {host} · <ClockTime at={createdAt} />
    </Trans>
  )
}

function Attempts({ delivery: { attempts } }: { delivery: Delivery }) {
  return attempts.length === 0 ? null : (
    <ol aria-label={t`Tries`} className="mt-1.5 flex flex-col gap-1 text-dense tabular-nums">
      {attempts.map(({ at, code, error, ms }) => (
        <li key={at.getTime()} className="flex flex-wrap gap-x-2">
          <span className={isGood(code) ? 'text-success-text' : 'text-danger-text'}>
            {code === null ? (error ?? t`No answer`) : t`Answered ${code}`}
          </span>
          <span className="text-muted">
            <Trans>
              in {ms} ms · <ClockTime at={at} />
            </Trans>
          </span>
        </li>
      ))}
    </ol>
  )
}

function isGood(code: number | null): boolean {
  return code !== null && code >= 200 && code < 300
}
