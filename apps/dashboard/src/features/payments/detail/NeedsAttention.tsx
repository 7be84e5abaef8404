import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery, useCan } from '../../../api/me.ts'
import { depositWaitText } from '../../../labels/deposit-labels.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { obstacleText } from '../../../labels/readiness-texts.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { RefundLayer } from '../actions/RefundLayer.tsx'
import { ResendButton } from '../actions/ResendButton.tsx'
import { ResolveDialog } from '../actions/ResolveDialog.tsx'
import { offerTexts } from '../actions/offer-texts.ts'
import { openOffers, markResolvedOffer } from '../actions/offers.ts'
import type { Offer } from '../actions/offers.ts'
import { IssueLine } from './IssueLine.tsx'
import { KnownIssueNote } from './KnownIssueNote.tsx'
import { knownIssues } from './known-issues.ts'
import { RefundClaimNote } from './RefundClaimNote.tsx'

/** The issues of a payment that need an operator. An issue with an open dialog stays when it is solved meanwhile. */
export function NeedsAttention({ payment }: { payment: PaymentDetail }) {
  const [asked, setAsked] = useState<Offer | 'refund'>()
  const close = () => setAsked(undefined)
  return (
    <>
      {payment.refundClaim !== null && <RefundClaimNote payment={payment} />}
      <Issues payment={payment} onAsk={setAsked} />
      {asked === 'refund' && <RefundLayer payment={payment} onClose={close} />}
      {typeof asked === 'object' && <ResolveDialog payment={payment} offer={asked} onClose={close} />}
    </>
  )
}

type IssuesProps = { readonly payment: PaymentDetail; readonly onAsk: (asked: Offer | 'refund') => void }

/** The issues, each with the press that resolves it. */
function Issues({ payment, onAsk }: IssuesProps) {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const offers = openOffers(payment)
  const waiting = payment.transfers.filter(({ waits }) => waits !== null)
  // A failure before the payment was marked as resolved is resolved as well.
  const isNotDelivered = newestFailed(payment.deliveries) && (payment.resolved === null || payment.needsAttention)
  const issues = knownIssues(payment, offers.length > 0)
  const { waits } = payment
  const count = offers.length + issues.length + waiting.length
  if (count === 0 && waits === null && !isNotDelivered) return null
  const mayResolve = can('payment:resolve', payment.externalPlatformID)
  // The note of an open claim offers the refund to the address that the payer named.
  const mayRefund = can('payout:create', payment.externalPlatformID) && payment.refundClaim?.status !== 'open'
  const markResolved = mayResolve && <MarkResolvedButton payment={payment} onAsk={onAsk} />
  // It is about all of them, and stands in the last.
  const [lastOffer, lastIssue] = [offers.at(-1), issues.at(-1)]
  return (
    <section aria-label={t`Needs you`} className="flex flex-col gap-2">
      {offers.map((offer) => {
        const { label, situation, reason } = offerTexts(payment, offer)
        const name = `${offer.action}-${offer.deposit?.id ?? ''}`
        return (
          <IssueLine key={name} tone={offer.action === 'release_quarantine' ? 'danger' : 'warning'} title={situation}>
            <p>{offer.offReason === undefined ? reason : `${reason} ${offer.offReason}`}</p>
            {me !== undefined && !mayResolve && (
              <p>
                <Trans>Deciding about it needs payment:resolve. Ask an administrator.</Trans>
              </p>
            )}
            {mayResolve && offer.offReason === undefined && (
              <Button size="small" onClick={() => onAsk(offer)}>
                {label}
              </Button>
            )}
            {offer === lastOffer && lastIssue === undefined && !isNotDelivered && markResolved}
          </IssueLine>
        )
      })}
      {issues.map((issue) => (
        <KnownIssueNote
          key={issue.name}
          issue={issue}
          payment={payment}
          onRefund={mayRefund && issue.canRefund === true ? () => onAsk('refund') : undefined}
        >
          {issue === lastIssue && !isNotDelivered && markResolved}
        </KnownIssueNote>
      ))}
      {waits !== null && (
        <IssueLine tone="warning" title={t`It waits for its network`}>
          <p>{paymentWaitText(waits)}</p>
        </IssueLine>
      )}
      {waiting.map(({ id, waits: depositWaits, blockchainCode }) => {
        const network = networkName(blockchainCode)
        return (
          <IssueLine key={id} tone="progress" title={t`Deep enough on ${network}, and not final yet`}>
            <p>{depositWaits !== null && depositWaitText(depositWaits)}</p>
          </IssueLine>
        )
      })}
      {isNotDelivered && (
        <IssueLine tone="danger" title={t`Your shop was not notified`}>
          <p>
            <Trans>The last webhook was not delivered. Correct the endpoint, then send it again.</Trans>
          </p>
          <ResendButton payment={payment} />
          {markResolved}
        </IssueLine>
      )}
    </section>
  )
}

/** The way to take a payment off the list that Kassa has nothing more to offer for. */
function MarkResolvedButton({ payment, onAsk }: IssuesProps) {
  const offer = markResolvedOffer(payment)
  if (offer === undefined || offer.offReason !== undefined) return null
  return (
    <Button size="small" onClick={() => onAsk(offer)}>
      <Trans>Mark as resolved…</Trans>
    </Button>
  )
}

/** Whether the newest event failed at an endpoint, whose last delivery of it counts: as the list's "Webhook failed" has it. */
function newestFailed(deliveries: PaymentDetail['deliveries']): boolean {
  const newest = Math.max(...deliveries.map(({ sequence }) => sequence ?? 0))
  const ofNewest = deliveries.filter(({ sequence }) => (sequence ?? 0) === newest)
  const byEndpoint = Map.groupBy(ofNewest, ({ webhookID }) => webhookID)
  return [...byEndpoint.values()].some(
    (sent) => sent.reduce((a, b) => (b.deliveryID > a.deliveryID ? b : a)).status === 'failed',
  )
}

/** Why nothing happens to a payment although it waits for its network. */
function paymentWaitText({ params }: Pick<NonNullable<PaymentDetail['waits']>, 'params'>): string {
  const { network, obstacle } = params
  const safe = t`${network} is not followed right now. Money on its way is found and confirmed as soon as it is again; none is lost.`
  if (obstacle === null) return safe
  const why = obstacleText(obstacle)
  return t`${safe} Why: ${why}`
}
