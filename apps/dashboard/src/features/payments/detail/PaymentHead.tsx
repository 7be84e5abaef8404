import { ownInvoice } from '@kassa/contract/payments/invoice.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { meQuery } from '../../../api/me.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { fullAmount, usd, usdExact } from '../../../lib/text/format.ts'
import { lazyPart } from '../../../ui/overlays/lazy-load.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'
import { DetailStatus } from '../payment/PaymentStatus.tsx'
import { creatorOf, type Creator } from '../payment/creator.ts'
import { paymentNotes } from '../payment/payment-notes.ts'
import { NeedsAttention } from './NeedsAttention.tsx'
import { PriceEvidence } from './PriceEvidence.tsx'
import { UnlistedNotes } from './UnlistedNotes.tsx'

/** Few payments have a refund. */
const RefundNotes = lazyPart(async () => ({ default: (await import('./RefundNotes.tsx')).RefundNotes }))

/** What was asked, what came, and what the payment waits for. */
export function PaymentHead({ payment }: { payment: PaymentDetail }) {
  return (
    <div className="flex flex-col gap-4">
      <div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="text-stat font-semibold wrap-anywhere tabular-nums">{usdExact(payment.amountInUSD)}</p>
          <DetailStatus payment={payment} />
        </div>
        <Facts payment={payment} />
        {paymentNotes(payment).map((note) => (
          <p key={note} className="mt-1 text-body">
            {note}
          </p>
        ))}
        {payment.acceptance !== null && <Acceptance {...payment.acceptance} />}
        {payment.resolved !== null && <Resolution {...payment.resolved} />}
        {payment.paymentState === 'OPEN' && payment.fundingState === 'none' && (
          <p className="text-body text-muted">
            <Trans>
              Time left: <TimeRemaining until={payment.expiresAt} />
            </Trans>
          </p>
        )}
      </div>
      <NeedsAttention payment={payment} />
      <Suspense>{payment.refunds.length > 0 && <RefundNotes payment={payment} />}</Suspense>
      <UnlistedNotes payment={payment} />
      <Amounts payment={payment} />
      <PriceEvidence payment={payment} />
    </div>
  )
}

/** Why less than was asked is enough. */
function Acceptance({ at, note }: NonNullable<PaymentDetail['acceptance']>) {
  return (
    <p className="mt-1 text-body">
      <Trans>
        Accepted as paid <TimeAgo at={at} inText />: {note}
      </Trans>
    </p>
  )
}

/** Why nothing more is to be done about it. */
function Resolution({ at, note }: NonNullable<PaymentDetail['resolved']>) {
  return (
    <p className="mt-1 text-body">
      <Trans>
        Resolved <TimeAgo at={at} inText />: {note}
      </Trans>
    </p>
  )
}

/** A fact's dot stands in a space of its own: a fact that takes more lines keeps clear of it on each. */
const FACT =
  "*:relative *:ps-4 *:before:absolute *:before:inset-y-0 *:before:start-0 *:before:w-4 *:before:text-center *:before:content-['·']"

/** Facts in a row; the dot before the first of each line is out of sight. */
function Facts({ payment }: { payment: PaymentDetail }) {
  const { data: me } = useQuery(meQuery)
  return (
    <div className="mt-2 overflow-hidden text-body text-muted">
      <p className={`-ms-4 flex flex-wrap gap-y-0.5 ${FACT}`}>
        {facts(payment, creatorOf(payment, me?.id)).map((fact) => (
          <span key={fact} className="wrap-anywhere">
            {fact}
          </span>
        ))}
        <TimeAgo at={payment.createdAt} />
      </p>
    </div>
  )
}

function facts(payment: PaymentDetail, maker: Creator): string[] {
  const { customer } = payment
  const { customer_id: customerID } = customer
  const invoiceID = ownInvoice(payment)
  return [
    customer.email,
    customerID === customer.email ? '' : t`customer ${customerID}`,
    invoiceID === '' ? '' : t`invoice ${invoiceID}`,
    createdText(maker),
  ].filter((fact) => fact !== '')
}

function createdText(maker: Creator): string {
  if (maker === 'you') return t`created by you`
  return maker === 'operator' ? t`created by an operator` : t`created by an API key`
}

function Amounts({ payment }: { payment: PaymentDetail }) {
  const { amount, filledAmount, currencySymbol, blockchainSymbol, amountInUSD } = payment
  const code = currencySymbol ?? ''
  const isChosen = amount !== null && currencySymbol !== null
  const network = networkName(blockchainSymbol ?? '')
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-border bg-border sm:grid-cols-4">
      <Figure label={t`Requested`} note={isChosen ? t`on ${network}` : t`currency not chosen`}>
        {isChosen ? fullAmount(amount, code) : usdExact(amountInUSD)}
      </Figure>
      <Figure label={t`Received`}>{isChosen ? fullAmount(received(payment), code) : '–'}</Figure>
      <Figure label={t`Credited`}>{isChosen ? fullAmount(filledAmount ?? '0', code) : '–'}</Figure>
      {isChosen && payment.acceptance !== null ? (
        <Figure label={t({ message: 'Waived', comment: 'what was missing when less was accepted as paid' })}>
          {fullAmount(waived(payment), code)}
        </Figure>
      ) : (
        <Figure label={t`Outstanding`}>{outstanding(payment)}</Figure>
      )}
    </dl>
  )
}

function Figure({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div className="bg-surface px-3.5 py-3">
      <dt className="text-dense text-muted">{label}</dt>
      <dd className="mt-0.5 font-semibold break-words tabular-nums">{children}</dd>
      {note !== undefined && <dd className="text-caption text-muted">{note}</dd>}
    </div>
  )
}

/** What would make it paid; nothing is due on a link that has ended. */
function outstanding({ paymentState, amountDue, amountDueInUSD, currencySymbol }: PaymentDetail): string {
  if (paymentState === 'CANCELLED') return '–'
  return currencySymbol === null ? usd(amountDueInUSD) : fullAmount(amountDue ?? '0', currencySymbol)
}

/** What less came than was asked; nothing where the rest came after all. */
function waived({ amount, filledAmount, currencyDecimals }: PaymentDetail): string {
  const decimals = currencyDecimals ?? 0
  const missing = parseUnits(amount ?? '0', decimals) - parseUnits(filledAmount ?? '0', decimals)
  return formatUnits(missing > 0n ? missing : 0n, decimals)
}

/** Everything that came in the currency that was asked for, final or not. */
function received({ transfers, currencySymbol, currencyDecimals }: PaymentDetail): string {
  const decimals = currencyDecimals ?? 0
  const units = transfers
    .filter(({ status, currencyCode }) => status !== 'reverted' && currencyCode === currencySymbol)
    .reduce((sum, { amount }) => sum + parseUnits(amount, decimals), 0n)
  return formatUnits(units, decimals)
}
