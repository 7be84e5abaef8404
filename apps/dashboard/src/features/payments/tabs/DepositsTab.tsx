import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useCan } from '../../../api/me.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { ResolveDialog } from '../actions/ResolveDialog.tsx'
import { offerTexts } from '../actions/offer-texts.ts'
import { depositOffer, unmatchedElsewhere } from '../actions/offers.ts'
import type { Offer } from '../actions/offers.ts'
import { DepositCard } from './DepositCard.tsx'
import { EmptyTab } from './EmptyTab.tsx'

/** Every transfer that concerns the payment, the newest first, and below it what is unmatched of its customer. */
export function DepositsTab({ payment }: { payment: PaymentDetail }) {
  const [asked, setAsked] = useState<Offer>()
  const { transfers, deposits } = payment
  const explorer = new Map(deposits.map(({ txHash, explorerTransaction }) => [txHash, explorerTransaction]))
  const unmatched = unmatchedElsewhere(payment)
  const list = (all: readonly Deposit[]) => (
    <ul className="flex flex-col gap-4">
      {all.map((deposit) => (
        <li key={deposit.id}>
          <DepositCard deposit={deposit} explorer={explorer.get(deposit.txHash)}>
            <DepositAction payment={payment} offer={depositOffer(payment, deposit)} onAsk={setAsked} />
          </DepositCard>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {transfers.length === 0 && (
        <EmptyTab>
          <Trans>No transfer has been seen for this payment.</Trans>
        </EmptyTab>
      )}
      {list(transfers.toReversed())}
      {unmatched.length > 0 && (
        <section aria-labelledby="unmatched-deposits" className="mt-6">
          <h3 id="unmatched-deposits" className="mb-3 font-semibold">
            <Trans>Unmatched, from this customer</Trans>
          </h3>
          {list(unmatched)}
        </section>
      )}
      {asked !== undefined && <ResolveDialog payment={payment} offer={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

type DepositActionProps = {
  readonly payment: PaymentDetail
  readonly offer: Offer | undefined
  readonly onAsk: (offer: Offer) => void
}

/** The press a deposit offers, or why there is none; nothing for those who may not decide. */
function DepositAction({ payment, offer, onAsk }: DepositActionProps) {
  const can = useCan()
  if (offer === undefined || !can('payment:resolve', payment.externalPlatformID)) return null
  if (offer.offReason !== undefined) return <p className="text-dense text-muted">{offer.offReason}</p>
  const { label } = offerTexts(payment, offer)
  return (
    <Button size="small" onClick={() => onAsk(offer)}>
      <Trans>{label}…</Trans>
    </Button>
  )
}
