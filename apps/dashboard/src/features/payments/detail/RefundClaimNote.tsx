import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense, useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import type { Claim } from '../actions/refund.ts'
import { RefundLayer } from '../actions/RefundLayer.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { IssueLine } from './IssueLine.tsx'

const DeclineClaimDialog = lazyLayer(async () => ({
  default: (await import('../actions/DeclineClaimDialog.tsx')).DeclineClaimDialog,
}))

/** The open claim of a payer: where they want money to return to, and the two ways to decide. An open dialog keeps its claim. */
export function RefundClaimNote({ payment }: { payment: PaymentDetail }) {
  const can = useCan()
  const [isRefund, setIsRefund] = useState(false)
  const [declined, setDeclined] = useState<Claim>()
  const { refundClaim: claim, externalPlatformID } = payment
  const isOpen = claim?.status === 'open'
  return (
    <>
      {isOpen && (
        <section aria-label={t`Claimed refund`}>
          <IssueLine tone="warning" title={t`The payer asks for money back`}>
            <ClaimText claim={claim} />
            {can('payout:create', externalPlatformID) && (
              <Button size="small" onClick={() => setIsRefund(true)}>
                <Trans>Refund…</Trans>
              </Button>
            )}
            {can('payment:resolve', externalPlatformID) && (
              <Button size="small" onClick={() => setDeclined(claim)}>
                <Trans>Decline…</Trans>
              </Button>
            )}
          </IssueLine>
        </section>
      )}
      {isRefund && <RefundLayer payment={payment} onClose={() => setIsRefund(false)} />}
      {declined !== undefined && (
        <Suspense>
          <DeclineClaimDialog payment={payment} claim={declined} onClose={() => setDeclined(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function ClaimText({ claim: { address, blockchainCode } }: { claim: Claim }) {
  const network = networkName(blockchainCode)
  return (
    <div className="flex flex-[1_1_20rem] flex-col gap-1">
      <Address value={address} label={t`address`} full />
      <p>
        <Trans>On {network}. Named by whoever has the payment’s link, not verified.</Trans>
      </p>
    </div>
  )
}
