import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { paymentQuery } from '../../api/payments.ts'
import { shortAddress } from '../../lib/format.ts'
import { useIsNarrow } from '../../lib/media.ts'
import { Card } from '../../ui/Card.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { PaymentActions } from './PaymentActions.tsx'
import { PaymentStory } from './PaymentStory.tsx'

export type PaymentPageProps = {
  readonly projectId: string
  readonly reference: string
  /** What only a sandbox offers, beside the actions. */
  readonly tools: (payment: PaymentDetail) => ReactNode
}

/** The same story on a page of its own: to keep open, to send to somebody. */
export function PaymentPage({ projectId, reference, tools }: PaymentPageProps) {
  const isNarrow = useIsNarrow()
  const { data: payment, error, refetch } = useQuery(paymentQuery(projectId, reference))
  const shortReference = shortAddress(reference)
  const name = t`Payment ${shortReference}`
  const actions = payment && <PaymentActions payment={payment} />
  return (
    <>
      <p className="mb-2 text-body">
        <TextLink href={`/project/${projectId}/payments/allPayments`}>
          <Trans>All payments</Trans>
        </TextLink>
      </p>
      <PageHead title={name} actions={isNarrow ? undefined : actions} />
      {payment && <div className="mb-4 flex flex-wrap gap-2 empty:hidden">{tools(payment)}</div>}
      <section aria-label={name}>
        <Card>
          <PaymentStory payment={payment} error={error} onRetry={() => void refetch()} />
        </Card>
      </section>
      {isNarrow && payment !== undefined && (
        <div className="sticky bottom-0 z-10 -mx-4 mt-4 flex flex-wrap justify-end gap-2 border-t border-border bg-raised px-4 py-3">
          {actions}
        </div>
      )}
    </>
  )
}
