import type { TestResult, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { useState } from 'react'

import { asApiError } from '../../api/api-error.ts'
import { useCan } from '../../api/me.ts'
import { useTestWebhook } from '../../api/webhooks.ts'
import { ALL_PROJECTS } from '../../lib/current-project.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { KeyValue } from '../../ui/KeyValue.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { endpointState } from './delivery-states.ts'
import { useProjectName } from './project-options.ts'
import { TestResultPanel } from './TestResultPanel.tsx'

export type EndpointCardProps = {
  readonly webhook: Webhook
  /** The page's project, or `all`, in which case the card names its own. */
  readonly projectId: string
}

/** One endpoint: where it is, how it does, and a test that changes nothing. */
export function EndpointCard({ webhook, projectId }: EndpointCardProps) {
  const can = useCan()
  const projectName = useProjectName()
  const test = useTestWebhook()
  const [isTesting, setTesting] = useState(false)
  const [result, setResult] = useState<TestResult>()
  const [failure, setFailure] = useState<string>()

  const run = async () => {
    setTesting(true)
    setFailure(undefined)
    setResult(undefined)
    try {
      setResult(await test(webhook))
    } catch (thrown) {
      const { message, details } = asApiError(thrown)
      setFailure([message, details].filter(Boolean).join(' '))
    } finally {
      setTesting(false)
    }
  }

  const { events, secret, description, lastDeliveryAt, lastResponseCode } = webhook
  const rows = [
    ...(projectId === ALL_PROJECTS ? [{ label: 'Project', value: projectName(webhook.externalPlatformID) }] : []),
    ...(description === '' ? [] : [{ label: 'Description', value: description }]),
    { label: 'Events', value: events.length === 0 ? 'All payment events (default)' : events.join(', ') },
    { label: 'Signing secret', value: <span className="font-mono text-dense">{secret ?? ''}</span> },
    {
      label: 'Last delivery',
      value: lastDeliveryAt === null ? 'None yet' : <Last at={lastDeliveryAt} code={lastResponseCode} />,
    },
  ]
  return (
    <section aria-label={webhook.url} className="rounded-card border border-border bg-surface p-4 shadow-card sm:p-5">
      <header className="mb-2 flex flex-wrap items-center gap-3">
        <h2 className="min-w-0 flex-1 basis-60 text-body font-semibold break-all">
          <bdi dir="ltr">{webhook.url}</bdi>
        </h2>
        <StatusBadge {...endpointState(webhook)} wire={`${webhook.status}, ${webhook.health}`} />
        {can('webhook:resend', webhook.externalPlatformID) && (
          <Button size="small" loading={isTesting} onClick={() => void run()}>
            Test
          </Button>
        )}
      </header>
      {webhook.health === 'failing' && (
        <Banner tone="danger">
          Nothing has arrived here for days. The last answer was {lastResponseCode ?? 'none at all'}.
        </Banner>
      )}
      <KeyValue rows={rows} />
      <div aria-live="polite">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        {result !== undefined && <TestResultPanel result={result} />}
      </div>
    </section>
  )
}

function Last({ at, code }: { at: Date; code: number | null }) {
  return (
    <>
      <TimeAgo at={at} /> · {code === null ? 'no answer' : `answered ${code}`}
    </>
  )
}
