import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { useCan } from '../../../api/me.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { endpointState, isReceived } from '../deliveries/delivery-states.ts'
import { TestResultPanel } from './TestResultPanel.tsx'
import { useEndpointTest } from './useEndpointTest.ts'

export type EndpointHeadProps = {
  readonly webhook: Webhook
  /** The address; a link where it leads to the endpoint's own page. */
  readonly title: ReactNode
  readonly children?: ReactNode
}

/** Where an endpoint is, how it does and why, and a test that changes nothing. */
export function EndpointHead({ webhook, title, children }: EndpointHeadProps) {
  const can = useCan()
  const { run, isTesting, result, failure } = useEndpointTest(webhook)
  return (
    <>
      <header className="mb-2 flex flex-wrap items-center gap-3">
        <h2 className="min-w-0 flex-1 basis-60 text-body font-semibold break-all">{title}</h2>
        <StatusBadge {...endpointState(webhook, result)} wire={`${webhook.status}, ${webhook.health}`} />
        {can('webhook:resend', webhook.externalPlatformID) && (
          <Button size="small" loading={isTesting} onClick={() => void run()}>
            <Trans comment="a button that sends a test message">Test</Trans>
          </Button>
        )}
      </header>
      <div className="mb-2 empty:hidden">
        <Trouble webhook={webhook} />
      </div>
      {children}
      <div aria-live="polite">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        {result !== undefined && <TestResultPanel result={result} />}
      </div>
    </>
  )
}

/** The answer of a receiver that was removed for good. */
const GONE = 410

function Trouble({ webhook: { status, health, lastResponseCode } }: { webhook: Webhook }) {
  if (status === 'inactive' && lastResponseCode === GONE) {
    return (
      <Banner tone="warning">
        <Trans>
          The endpoint returned 410 Gone and was disabled. Nothing is sent. Correct its URL, then turn it on.
        </Trans>
      </Banner>
    )
  }
  if (status === 'inactive' || health !== 'failing') return null
  return (
    <Banner tone="danger">
      {lastResponseCode === null ? (
        <Trans>
          Nothing has arrived here for days. The last answer was none at all. Correct the receiver, then send what
          failed again.
        </Trans>
      ) : (
        <Trans>
          Nothing has arrived here for days. The last answer was {lastResponseCode}. Correct the receiver, then send
          what failed again.
        </Trans>
      )}
    </Banner>
  )
}

/** When the last message went out, and what came back. */
export function LastDelivery({ webhook: { lastDeliveryAt: at, lastResponseCode: code } }: { webhook: Webhook }) {
  if (at === null) return t`None yet`
  return (
    <>
      <TimeAgo at={at} /> ·{' '}
      <span className={isReceived(code) ? '' : 'font-medium text-danger-text'}>
        {code === null ? t`no answer` : t`answered ${code}`}
      </span>
    </>
  )
}
