import type { PaymentDetail as Payment } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { paymentQuery } from '../../api/payments.ts'
import { paths } from '../../lib/paths.ts'
import { shortReference } from '../../lib/text/short-reference.ts'
import { Card } from '../../ui/places/Card.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { PaymentActions } from './detail/PaymentActions.tsx'
import { PaymentDetail } from './detail/PaymentDetail.tsx'

export type PaymentPageProps = {
  readonly projectId: string
  readonly reference: string
  /** What only a sandbox offers, beside the actions. */
  readonly tools: (payment: Payment) => ReactNode
}

/** Shows the same as the drawer on a page of its own, which can stay open or be shared. */
export function PaymentPage({ projectId, reference, tools }: PaymentPageProps) {
  const { data: payment, error, refetch } = useQuery(paymentQuery(projectId, reference))
  const ending = shortReference(reference)
  const name = t`Payment ${ending}`
  return (
    <>
      <p className="mb-2 text-body">
        <TextLink href={paths.payments({ projectId })}>
          <Trans>All payments</Trans>
        </TextLink>
      </p>
      <PageHead title={name} actions={payment && <PaymentActions payment={payment} />} />
      {payment && <div className="mb-4 flex flex-wrap gap-2 empty:hidden">{tools(payment)}</div>}
      <section aria-label={name}>
        <Card>
          <PaymentDetail payment={payment} error={error} onRetry={() => void refetch()} />
        </Card>
      </section>
    </>
  )
}
