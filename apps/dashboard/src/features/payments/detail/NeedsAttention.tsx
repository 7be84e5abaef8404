import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery, useCan } from '../../../api/me.ts'
import { networkName } from '../../../labels/network-name.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { ResendButton } from '../actions/ResendButton.tsx'
import { ResolveDialog } from '../actions/ResolveDialog.tsx'
import { offerTexts } from '../actions/offer-texts.ts'
import { openOffers, markResolvedOffer } from '../actions/offers.ts'
import type { Offer } from '../actions/offers.ts'
import { IssueLine } from './IssueLine.tsx'
import { KnownIssueNote } from './KnownIssueNote.tsx'
import { knownIssues } from './known-issues.ts'

/** What about a payment waits for a person. What somebody is just deciding stays when it no longer waits. */
export function NeedsAttention({ payment }: { payment: PaymentDetail }) {
  const [asked, setAsked] = useState<Offer>()
  return (
    <>
      <Issues payment={payment} onAsk={setAsked} />
      {asked !== undefined && <ResolveDialog payment={payment} offer={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

type IssuesProps = { readonly payment: PaymentDetail; readonly onAsk: (offer: Offer) => void }

/** The matters, each with the press that settles it. */
function Issues({ payment, onAsk }: IssuesProps) {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const offers = openOffers(payment)
  const waiting = payment.transfers.filter(({ waitsBecause }) => waitsBecause !== null)
  // What had failed before somebody settled the payment is settled as well.
  const isUntold = newestFailed(payment.deliveries) && (payment.resolved === null || payment.needsAttention)
  const issues = knownIssues(payment, offers.length > 0)
  const { waitsBecause: heldUp } = payment
  const count = offers.length + issues.length + waiting.length
  if (count === 0 && heldUp === null && !isUntold) return null
  const mayResolve = can('payment:resolve', payment.externalPlatformID)
  const settle = mayResolve && <MarkResolvedButton payment={payment} onAsk={onAsk} />
  // It is about all of them, and stands in the last.
  const [lastOffer, lastMatter] = [offers.at(-1), issues.at(-1)]
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
            {offer === lastOffer && lastMatter === undefined && !isUntold && settle}
          </IssueLine>
        )
      })}
      {issues.map((issue) => (
        <KnownIssueNote key={issue.name} issue={issue} payment={payment}>
          {issue === lastMatter && !isUntold && settle}
        </KnownIssueNote>
      ))}
      {heldUp !== null && (
        <IssueLine tone="warning" title={t`It waits for its network`}>
          <p>{heldUp}</p>
        </IssueLine>
      )}
      {waiting.map(({ id, waitsBecause, blockchainCode }) => {
        const network = networkName(blockchainCode)
        return (
          <IssueLine key={id} tone="progress" title={t`Deep enough on ${network}, and not final yet`}>
            <p>{waitsBecause}</p>
          </IssueLine>
        )
      })}
      {isUntold && (
        <IssueLine tone="danger" title={t`Your shop was not notified`}>
          <p>
            <Trans>The last webhook was not delivered. Mend the endpoint, then send it again.</Trans>
          </p>
          <ResendButton payment={payment} />
          {settle}
        </IssueLine>
      )}
    </section>
  )
}

/** The way to take a payment off the list that Kassa has nothing more to offer for. */
function MarkResolvedButton({ payment, onAsk }: IssuesProps) {
  const offer = markResolvedOffer(payment)
  if (offer.offReason !== undefined) return null
  return (
    <Button size="small" onClick={() => onAsk(offer)}>
      <Trans>Mark as resolved…</Trans>
    </Button>
  )
}

/** Whether an endpoint was not told of the newest state, each asked how it went last: as the list's "Webhook failed" has it. */
function newestFailed(deliveries: PaymentDetail['deliveries']): boolean {
  const newest = Math.max(...deliveries.map(({ sequence }) => sequence ?? 0))
  const ofNewest = deliveries.filter(({ sequence }) => (sequence ?? 0) === newest)
  const byEndpoint = Map.groupBy(ofNewest, ({ webhookID }) => webhookID)
  return [...byEndpoint.values()].some(
    (sent) => sent.reduce((a, b) => (b.deliveryID > a.deliveryID ? b : a)).status === 'failed',
  )
}
