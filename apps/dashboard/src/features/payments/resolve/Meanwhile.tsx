import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { meQuery } from '../../../api/me.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { newsSince } from '../payment-timeline.ts'

export type MeanwhileProps = {
  /** The payment as it was when somebody began to decide about it. */
  readonly before: PaymentDetail
  readonly payment: PaymentDetail
  /** Why the decision is no longer possible. */
  readonly reason: string
  readonly hasNote: boolean
}

/** What became of a payment while somebody was deciding about it: what, by whom and when. */
export function Meanwhile({ before, payment, reason, hasNote }: MeanwhileProps) {
  const { data: me } = useQuery(meQuery)
  const news = newsSince(before, payment, me?.id)
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
