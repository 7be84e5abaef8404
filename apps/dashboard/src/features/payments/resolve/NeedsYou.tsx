import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'

import { meQuery, useCan } from '../../../api/me.ts'
import { TONE_CHIP, TONE_GLYPH } from '../../../ui/tones.ts'
import type { Tone } from '../../../ui/tones.ts'
import { Button } from '../../../ui/Button.tsx'
import { networkName } from '../../../lib/network-name.ts'
import { ResendButton } from './ResendButton.tsx'
import { offerTexts } from './offer-texts.ts'
import { openOffers } from './offers.ts'
import type { Offer } from './offers.ts'
import { ResolveDialog } from './ResolveDialog.tsx'

/** What about a payment waits for a person, each with the press that settles it. */
export function NeedsYou({ payment }: { payment: PaymentDetail }) {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const [asked, setAsked] = useState<Offer>()
  const offers = openOffers(payment)
  const waiting = payment.transfers.filter(({ waitsBecause }) => waitsBecause !== null)
  const isUntold = newest(payment.deliveries)?.status === 'failed'
  const { waitsBecause: heldUp } = payment
  if (offers.length === 0 && waiting.length === 0 && heldUp === null && !isUntold) return null
  const mayResolve = can('payment:resolve', payment.externalPlatformID)
  return (
    <section aria-label={t`Needs you`} className="flex flex-col gap-2">
      {offers.map((offer) => {
        const { label, situation, reason } = offerTexts(payment, offer)
        const name = `${offer.action}-${offer.deposit?.id ?? ''}`
        return (
          <Line key={name} tone={offer.action === 'release_quarantine' ? 'danger' : 'warning'} title={situation}>
            <p>{offer.offReason === undefined ? reason : `${reason} ${offer.offReason}`}</p>
            {me !== undefined && !mayResolve && (
              <p>
                <Trans>Deciding about it needs payment:resolve. Ask an administrator.</Trans>
              </p>
            )}
            {mayResolve && offer.offReason === undefined && (
              <Button size="small" onClick={() => setAsked(offer)}>
                {label}
              </Button>
            )}
          </Line>
        )
      })}
      {heldUp !== null && (
        <Line tone="warning" title={t`It waits for its network`}>
          <p>{heldUp}</p>
        </Line>
      )}
      {waiting.map(({ id, waitsBecause, blockchainCode }) => {
        const network = networkName(blockchainCode)
        return (
          <Line key={id} tone="progress" title={t`Deep enough on ${network}, and not final yet`}>
            <p>{waitsBecause}</p>
          </Line>
        )
      })}
      {isUntold && (
        <Line tone="danger" title={t`Your shop was not told`}>
          <p>
            <Trans>The last webhook was not delivered. Mend the endpoint, then send it again.</Trans>
          </p>
          <ResendButton payment={payment} />
        </Line>
      )}
      {asked !== undefined && <ResolveDialog payment={payment} offer={asked} onClose={() => setAsked(undefined)} />}
    </section>
  )
}

function newest(deliveries: PaymentDetail['deliveries']) {
  return deliveries.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())[0]
}

/** A situation on the left, its press on the right; below each other where it is narrow. */
function Line({ tone, title, children }: { tone: Tone; title: string; children: ReactNode }) {
  return (
    <div className={`flex items-start gap-2.5 rounded-card border px-3.5 py-3 ${TONE_CHIP[tone]}`}>
      <span aria-hidden className="w-3 shrink-0 text-center font-bold">
        {TONE_GLYPH[tone]}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-dense [&>p]:min-w-48 [&>p]:flex-1">
          {children}
        </div>
      </div>
    </div>
  )
}
