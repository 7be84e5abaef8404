import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../../api/request-error.ts'
import { webhooksQuery } from '../../../api/lazy-lists.ts'
import { deliveriesQuery } from '../../../api/webhooks.ts'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { DeliveryState } from '../deliveries/DeliveryBadge.tsx'

/** More endpoints than a project may have, times what is sent again by hand. */
const LIMIT = 100

/** Which endpoints receive an event, and whether each has it. */
export function EventDeliveries({ projectId, event }: { projectId: string; event: FeedEvent }) {
  const { id, type, payload } = event
  const reference = payload['reference_id']
  const { data, error, refetch } = useQuery(
    deliveriesQuery(projectId, undefined, {
      limit: LIMIT,
      event: [type],
      ...(typeof reference === 'string' && { referenceID: reference }),
    }),
  )
  const { data: webhooks } = useQuery(webhooksQuery(projectId))
  const deliveries = data?.data.filter((delivery) => delivery.id === id)
  return (
    <section aria-label={t`Deliveries`} className="flex flex-col gap-2">
      <h3 className="text-body font-semibold">
        <Trans>Deliveries</Trans>
      </h3>
      {data === undefined && error === null && (
        <>
          <Skeleton width="60%" />
          <LoadingText text={t`Loading deliveries`} />
        </>
      )}
      {data === undefined && error !== null && (
        <ErrorState
          title={t`Deliveries couldn’t be loaded`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {deliveries?.length === 0 && (
        <p className="text-body text-muted">
          <Trans>No endpoint received it.</Trans>
        </p>
      )}
      <ul className="flex flex-col gap-2">
        {deliveries?.map((delivery) => (
          <li key={delivery.deliveryID} className="flex flex-wrap items-center justify-between gap-2">
            <span className="min-w-0 font-mono text-dense break-all">
              {webhooks?.find((webhook) => webhook.id === delivery.webhookID)?.url ?? t`Endpoint ${delivery.webhookID}`}
            </span>
            <DeliveryState delivery={delivery} />
          </li>
        ))}
      </ul>
    </section>
  )
}
