import type { DeliveryDetail, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { output } from 'zod/mini'

import { asRequestError } from '../../../api/request-error.ts'
import { useCan } from '../../../api/me.ts'
import { deliveryQuery } from '../../../api/webhooks.ts'
import { DeliveryWait } from '../../../labels/DeliveryWait.tsx'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { Drawer } from '../../../ui/overlays/Drawer.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Tabs } from '../../../ui/actions/Tabs.tsx'
import { Timeline } from '../../../ui/facts/Timeline.tsx'
import { DeliveryBadge } from './DeliveryBadge.tsx'
import { canResend, isReceived } from './delivery-states.ts'
import { ResendButton } from './ResendButton.tsx'

type Detail = output<typeof DeliveryDetail>

export type DeliveryDrawerProps = {
  readonly projectId: string
  /** `{endpoint}-{delivery}`, as in the address. */
  readonly reference: string
  readonly webhooks: readonly Webhook[]
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly onClose: () => void
}

/** One message: what was sent, and what the receiver said each time. */
export function DeliveryDrawer(props: DeliveryDrawerProps) {
  const { projectId, reference, webhooks, onPrevious, onNext, onClose } = props
  const [webhookId = '', deliveryId = ''] = reference.split('-')
  const webhook = webhooks.find(({ id }) => id === Number(webhookId))
  const can = useCan()
  const { data, error, refetch } = useQuery(deliveryQuery(projectId, Number(webhookId), deliveryId))
  const mayResend =
    data !== undefined && webhook !== undefined && canResend(data) && can('webhook:resend', webhook.externalPlatformID)
  return (
    <Drawer
      title={data?.event ?? t`Delivery`}
      aside={data !== undefined && <DeliveryBadge delivery={data} />}
      foot={mayResend ? <ResendButton delivery={data} webhook={webhook} /> : undefined}
      onPrevious={onPrevious}
      onNext={onNext}
      onClose={onClose}
    >
      {data === undefined && error === null && <Loading />}
      {data === undefined && error !== null && (
        <ErrorState
          title={t`The delivery couldn’t be loaded`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data !== undefined && <Content delivery={data} />}
    </Drawer>
  )
}

function Content({ delivery }: { delivery: Detail }) {
  const { request, referenceID, status, waits } = delivery
  const facts = [
    { label: t`Sent to`, value: <bdi dir="ltr">{request.url}</bdi> },
    { label: t`Event id`, value: <span className="font-mono text-dense break-all">{delivery.id}</span> },
    ...(referenceID === null
      ? []
      : [{ label: t`Payment`, value: <span className="font-mono text-dense break-all">{referenceID}</span> }]),
    ...(waits === null ? [] : [{ label: t`Why it waits`, value: <DeliveryWait delivery={delivery} /> }]),
    ...(status === 'discarded' ? [{ label: t`Why`, value: t`There was no endpoint to send it to.` }] : []),
  ]
  const panels = [
    { id: 'payload', label: t`Payload` },
    { id: 'headers', label: t`Headers` },
    { id: 'tries', label: t`Tries` },
  ] as const
  return (
    <div className="flex flex-col gap-4">
      <KeyValue rows={facts} />
      <Tabs label={t`Delivery`} tabs={panels} param="panel">
        {(panel) => {
          if (panel === 'headers') return <Headers headers={request.headers} />
          if (panel === 'tries') return <Tries delivery={delivery} />
          return <CodeBlock label={t`payload`} text={indented(request.body)} wraps />
        }}
      </Tabs>
    </div>
  )
}

function Headers({ headers }: { headers: Readonly<Record<string, string>> }) {
  const rows = Object.entries(headers).map(([label, value]) => ({
    label,
    value: <span className="font-mono text-dense break-all">{value}</span>,
  }))
  return <KeyValue rows={rows} />
}

function Tries({ delivery: { attempts, id } }: { delivery: Detail }) {
  if (attempts.length === 0) {
    return (
      <p className="text-body text-muted">
        <Trans>It has not been sent yet.</Trans>
      </p>
    )
  }
  const events = attempts.toReversed().map(({ at, code, ms, error, responseExcerpt }, index) => {
    const number = attempts.length - index
    return {
      id: `${id}-${index}`,
      at,
      title: code === null ? t`Try ${number}: no answer · ${ms} ms` : t`Try ${number}: ${code} · ${ms} ms`,
      text: [error, responseExcerpt].filter(Boolean).join(' · '),
      tone: isReceived(code) ? ('success' as const) : ('danger' as const),
    }
  })
  return <Timeline label={t`Tries`} events={events} />
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function Loading() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton width="60%" />
      <Skeleton width="80%" />
      <Skeleton height={160} />
      <LoadingText text={t`Loading the delivery`} />
    </div>
  )
}
