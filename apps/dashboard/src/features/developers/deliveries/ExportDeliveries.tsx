import type { Delivery, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { asRequestError } from '../../../api/request-error.ts'
import { type DeliveryFilter, readEveryDelivery } from '../../../api/webhooks.ts'
import { utcIso } from '../../../lib/time/time.ts'
import { CsvButton, type CsvColumns } from '../../../ui/list/CsvButton.tsx'

type Props = {
  readonly projectId: string
  readonly webhooks: readonly Webhook[]
  readonly endpoint: Webhook | undefined
  readonly filter: DeliveryFilter
}

/** Saves the deliveries that the list shows, all its pages, as CSV. */
export function ExportDeliveries({ projectId, webhooks, endpoint, filter }: Props) {
  return (
    <CsvButton
      name="deliveries"
      columns={columnsOf(webhooks)}
      read={() => readEveryDelivery(projectId, endpoint?.id, filter)}
      saved={t`Deliveries saved as CSV`}
      failureText={(thrown) => asRequestError(thrown).message}
    />
  )
}

function columnsOf(webhooks: readonly Webhook[]): CsvColumns<Delivery> {
  const urls = new Map(webhooks.map(({ id, url }) => [id, url]))
  return {
    event_id: ({ id }) => id,
    event: ({ event }) => event,
    endpoint: ({ webhookID }) => urls.get(webhookID) ?? String(webhookID),
    payment: ({ referenceID }) => referenceID ?? '',
    payout: ({ payoutID }) => payoutID?.toString() ?? '',
    sequence: ({ sequence }) => sequence?.toString() ?? '',
    status: ({ status }) => status,
    created_at: ({ createdAt }) => utcIso(createdAt),
    attempts: (row) => String(row.attempt_count),
    last_attempt_at: ({ attempts }) => {
      const at = attempts.at(-1)?.at
      return at === undefined ? '' : utcIso(at)
    },
    next_attempt_at: (row) => (row.next_retry_at === null ? '' : utcIso(row.next_retry_at)),
    last_response_code: (row) => row.last_response_code?.toString() ?? '',
    last_error: (row) => row.last_error ?? '',
  }
}
