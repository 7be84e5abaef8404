import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { useCan } from '../../../api/me.ts'
import { payeeName, payoutBadge, payoutWait } from '../../../labels/payout-labels.ts'
import { paths } from '../../../lib/paths.ts'
import { assetAmount, shortAddress } from '../../../lib/text/format.ts'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { IssueLine } from './IssueLine.tsx'

/** The refunds of a payment and where each one is: one that waits for approval must not be requested again. */
export function RefundNotes({ payment: { refunds, externalPlatformID } }: { payment: PaymentDetail }) {
  const mayFollow = useCan()('payout:read', externalPlatformID)
  return (
    <section aria-label={t`Refunds`} className="flex flex-col gap-2">
      {refunds.map((refund) => {
        const { tone, word } = payoutBadge(refund)
        const sum = assetAmount(refund.amount, refund.currencyCode)
        const name = payeeName(refund) ?? shortAddress(refund.toAddress)
        return (
          <IssueLine
            key={refund.id}
            tone={tone}
            title={t`Refund of ${sum} to ${name}`}
            actions={
              mayFollow && (
                <LinkButton
                  size="small"
                  href={paths.payouts({ projectId: String(externalPlatformID), open: String(refund.id) })}
                >
                  <Trans>Follow it</Trans>
                </LinkButton>
              )
            }
          >
            <p>{payoutWait(refund) ?? word}</p>
          </IssueLine>
        )
      })}
    </section>
  )
}
