import { Trans } from '@lingui/react/macro'

import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import type { TimelineLine } from '../payment/timeline-entries.ts'

export type WhileYouWaitProps = {
  /** What happened to it. */
  readonly news: TimelineLine | undefined
  /** Why the decision is no longer possible. */
  readonly reason: string
  /** A typed note is not stored anywhere yet. */
  readonly hasNote: boolean
}

/** Says what happened to a payment during a decision about it: what, by whom and when. */
export function WhileYouWait({ news, reason, hasNote }: WhileYouWaitProps) {
  return (
    <Banner tone="warning">
      <p className="font-medium">
        <Trans>The payment has changed meanwhile</Trans>
      </p>
      {news !== undefined && (
        <p className="break-words">
          {news.title} · <TimeAgo at={news.at} inText />
          {news.text !== undefined && ` · ${news.text}`}
        </p>
      )}
      <p>
        {reason} {hasNote && <Trans>Your note is not sent. It stays here until you close this.</Trans>}
      </p>
    </Banner>
  )
}
