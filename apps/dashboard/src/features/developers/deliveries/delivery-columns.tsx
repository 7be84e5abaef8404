import type { Delivery, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { DeliveryWait } from '../../../labels/DeliveryWait.tsx'
import { shortReference } from '../../../lib/text/short-reference.ts'
import type { Column } from '../../../ui/list/columns.ts'
import { ClockTime } from '../../../ui/time/ClockTime.tsx'
import { DeliveryBadge, DeliveryState } from './DeliveryBadge.tsx'
import { ResendButton } from './ResendButton.tsx'

/** Returns the columns of the list of deliveries; the endpoint is named where there is more than one. What has not arrived can be sent again. */
export function deliveryColumns(webhooks: readonly Webhook[], isNarrow: boolean): Column<Delivery>[] {
  const endpoint: Column<Delivery>[] =
    webhooks.length < 2
      ? []
      : [
          {
            key: 'endpoint',
            label: t`Endpoint`,
            cell: ({ webhookID }) => webhooks.find(({ id }) => id === webhookID)?.url ?? t`Endpoint ${webhookID}`,
          },
        ]
  return [
    { key: 'event', label: t`Event`, card: 'title', cell: ({ event }) => event },
    ...stateColumns(isNarrow),
    {
      key: 'payment',
      label: t`Payment`,
      cell: ({ referenceID }) => referenceID !== null && <code title={referenceID}>{shortReference(referenceID)}</code>,
    },
    ...endpoint,
    { key: 'answer', label: t`Answer`, align: 'end', shrink: 2, cell: (row) => answerOf(row) },
    {
      key: 'tries',
      label: t`Tries`,
      align: 'end',
      card: 'none',
      shrink: 1,
      cell: ({ attempt_count: tries }) => tries,
    },
    { key: 'created', label: t`Created`, card: 'foot', cell: ({ createdAt }) => <ClockTime at={createdAt} /> },
    { key: 'actions', label: t`Actions`, align: 'end', card: 'foot', cell: (row) => resendOf(row, webhooks) },
  ]
}

/** On a card there is no room beside the badge: what a delivery waits for has a line of its own. */
function stateColumns(isNarrow: boolean): Column<Delivery>[] {
  const state = { key: 'state', label: t`State`, card: 'badge' } as const
  if (!isNarrow) return [{ ...state, grows: true, cell: (row) => <DeliveryState delivery={row} /> }]
  const waits: Column<Delivery> = {
    key: 'waits',
    label: t`Why it waits`,
    cell: (row) => row.waits !== null && <DeliveryWait delivery={row} />,
  }
  return [{ ...state, cell: (row) => <DeliveryBadge delivery={row} /> }, waits]
}

/** Only what has not arrived; the rest is sent again from its drawer. */
function resendOf(delivery: Delivery, webhooks: readonly Webhook[]) {
  const webhook = webhooks.find(({ id }) => id === delivery.webhookID)
  return delivery.status !== 'received' && <ResendButton delivery={delivery} webhook={webhook} quiet />
}

function answerOf({ last_response_code: code, attempts, attempt_count: tries }: Delivery): string {
  if (tries === 0) return '–'
  const ms = attempts.at(-1)?.ms
  return [code ?? t`No answer`, ...(ms === undefined ? [] : [t`${ms} ms`])].join(' · ')
}
