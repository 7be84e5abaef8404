import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { Suspense, useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { useCan } from '../../../api/me.ts'
import { webhooksQuery } from '../../../api/lazy-lists.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { PageActions } from '../../../ui/places/PageActions.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { Deliveries } from '../deliveries/Deliveries.tsx'
import { EndpointCard } from './EndpointCard.tsx'
import { EndpointDetail } from './EndpointDetail.tsx'
import { verifySample } from '../samples/samples.ts'
import { ShownOnceDialog } from '../samples/ShownOnceDialog.tsx'

const AddWebhookDialog = lazyLayer(async () => ({ default: (await import('./AddWebhookDialog.tsx')).AddWebhookDialog }))

/** The endpoints that receive events, and what was sent to them. */
export function Webhooks({ projectId }: { projectId: string }) {
  const webhooks = useQuery(webhooksQuery(projectId))
  const can = useCan()
  const [{ open }] = useSearchState()
  const opened = webhooks.data?.find(({ id }) => String(id) === open)
  const [isAdding, setAdding] = useState(false)
  const [added, setAdded] = useState<Webhook>()
  const add = can('webhook:write', projectId) && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setAdding(true)}>
      <Trans>Add endpoint</Trans>
    </Button>
  )

  if (opened !== undefined) return <EndpointDetail key={opened.id} webhook={opened} projectId={projectId} />
  return (
    <div className="flex flex-col gap-4">
      {webhooks.data !== undefined && webhooks.data.length > 0 && (
        <div className="flex justify-end max-sm:contents">
          <PageActions primary={add} />
        </div>
      )}
      {webhooks.data?.map((webhook) => (
        <EndpointCard key={webhook.id} webhook={webhook} projectId={projectId} />
      ))}
      {webhooks.data?.length === 0 && (
        <Card flush>
          <EmptyState
            icon={<WebhookIcon aria-hidden />}
            title={t`No endpoints`}
            text={t`Without one your shop must ask for payment states.`}
            action={add}
          />
        </Card>
      )}
      {webhooks.isPending && <Loading />}
      {webhooks.data === undefined && webhooks.error !== null && (
        <Card flush>
          <ErrorState
            title={t`Endpoints couldn’t be loaded`}
            error={asRequestError(webhooks.error)}
            onRetry={() => void webhooks.refetch()}
          />
        </Card>
      )}
      {webhooks.data !== undefined && webhooks.data.length > 0 && (
        <Deliveries projectId={projectId} webhooks={webhooks.data} />
      )}
      {isAdding && (
        <Suspense>
          <AddWebhookDialog
            projectId={projectId}
            onClose={() => setAdding(false)}
            onAdded={(webhook) => {
              setAdding(false)
              setAdded(webhook)
            }}
          />
        </Suspense>
      )}
      {added !== undefined && (
        <ShownOnceDialog
          title={t`Copy the secret now`}
          values={[
            { name: t`Signing secret`, label: t`signing secret`, value: added.secret },
            { name: t`Access key`, label: t`access key`, value: added.access_key },
          ]}
          lostText={t`Already shown once. Open the endpoint and rotate them to get new ones.`}
          sample={{
            label: t`receiver example`,
            text: verifySample(added.secret ?? ''),
            note: t`Verify each message with the secret. Older receivers compare the header API-Key with the access key.`,
          }}
          onClose={() => setAdded(undefined)}
        />
      )}
    </div>
  )
}

function Loading() {
  return (
    <Card>
      <div className="flex flex-col gap-3">
        <Skeleton width="50%" height={20} />
        <Skeleton width="30%" />
        <LoadingText text={t`Loading endpoints`} />
      </div>
    </Card>
  )
}
