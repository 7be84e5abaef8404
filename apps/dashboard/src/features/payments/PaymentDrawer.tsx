import type { PaymentDetail as Payment } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Maximize2 } from 'lucide-react'
import type { ReactNode } from 'react'

import { paymentQuery } from '../../api/payments.ts'
import { paths } from '../../lib/paths.ts'
import { useIsNarrow } from '../../lib/device/media.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { shortReference } from '../../lib/text/short-reference.ts'
import { Drawer } from '../../ui/overlays/Drawer.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { PaymentActions } from './detail/PaymentActions.tsx'
import { PaymentDetail } from './detail/PaymentDetail.tsx'
import { useReturnToRow } from './detail/useReturnToRow.ts'

export type PaymentDrawerProps = {
  readonly projectId: string
  readonly reference: string
  /** The payments of the list behind the drawer, for the previous and the next one. */
  readonly listed?: readonly string[]
  /** What only a sandbox offers, beside the actions. */
  readonly tools?: (payment: Payment) => ReactNode
}

/** Shows one payment in full, and what an operator may do about it. It is open while the address contains `open`. */
export function PaymentDrawer({ projectId, reference, listed = [], tools }: PaymentDrawerProps) {
  const [, setSearch] = useSearchState()
  const isNarrow = useIsNarrow()
  useReturnToRow(reference)
  const { data: payment, error, refetch } = useQuery(paymentQuery(projectId, reference))
  const show = (other: string | undefined) =>
    other === undefined ? undefined : () => setSearch({ open: other }, { replace: true })
  const at = listed.indexOf(reference)
  const ending = shortReference(reference)
  const page = paths.payment({ projectId, reference })
  return (
    <Drawer
      title={t`Payment ${ending}`}
      width={800}
      onClose={() => setSearch({ open: undefined, panel: undefined })}
      onPrevious={at > 0 ? show(listed[at - 1]) : undefined}
      onNext={at >= 0 ? show(listed[at + 1]) : undefined}
      aside={
        !isNarrow &&
        payment && (
          <div className="flex flex-wrap items-center gap-2">
            <LinkButton size="small" href={page} icon={<Maximize2 strokeWidth={1.75} />}>
              <Trans>Full page</Trans>
            </LinkButton>
            <PaymentActions key={reference} payment={payment} size="small" />
          </div>
        )
      }
      foot={
        payment && (
          <>
            {tools?.(payment)}
            {isNarrow && <PaymentActions key={reference} payment={payment} isShort />}
          </>
        )
      }
    >
      {/* What was refused or is under way is about this payment, not about the next one. */}
      <PaymentDetail key={reference} payment={payment} error={error} onRetry={() => void refetch()} />
    </Drawer>
  )
}
