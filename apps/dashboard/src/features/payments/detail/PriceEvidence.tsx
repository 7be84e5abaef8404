import type { PaymentDetail, QuoteDetail } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { truncateAmount } from '../../../lib/text/format.ts'
import { bidiIsolated } from '../../../lib/text/bidi.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { exactTime } from '../../../lib/time/time.ts'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'

/** The price that was held and, opened, what each source said: anybody can compute the median again. */
export function PriceEvidence({ payment }: { payment: PaymentDetail }) {
  const { quotes, paymentState, rateLockedUntil } = payment
  const isOpen = paymentState === 'OPEN' || paymentState === 'PARTIALLY_FILLED'
  const newestFirst = quotes.toSorted((a, b) => b.quotedAt.getTime() - a.quotedAt.getTime())
  const [quote] = newestFirst
  if (quote === undefined) return null
  // The first deposit extends the lock; the payer is shown the same end.
  const endOf = (one: QuoteDetail) => (one === quote && isOpen ? (rateLockedUntil ?? one.lockedUntil) : one.lockedUntil)
  return (
    <details className="group rounded-card border border-border">
      <summary className="rounded-card px-3.5 py-2 text-dense text-muted tabular-nums hover:text-ink">
        {summaryText(quote, isOpen ? endOf(quote) : undefined)}
      </summary>
      <div className="flex flex-col gap-4 border-t border-border px-3.5 py-3">
        {newestFirst.map((one) => (
          <Evidence key={one.quotedAt.getTime()} quote={one} end={endOf(one)} />
        ))}
      </div>
    </details>
  )
}

/** "1 ETH = $2,450.00 · 3 sources · rate locked until …", the end of it only while that matters. */
function summaryText({ currencyCode, priceInUSD, sources }: QuoteDetail, end: Date | undefined): string {
  const lockedUntil = end && exactTime(end)
  const asked = sources.length
  return [
    bidiIsolated(`1 ${currencyCode} = ${priceText(priceInUSD)}`),
    t`${plural(asked, { one: '# source', other: '# sources' })}`,
    ...(lockedUntil === undefined ? [] : [t`rate locked until ${lockedUntil}`]),
  ].join(' · ')
}

function Evidence({ quote, end }: { quote: QuoteDetail; end: Date }) {
  const { currencyCode, evidence } = quote
  const network = networkName(quote.blockchainCode)
  const price = priceText(quote.priceInUSD)
  const createdAt = exactTime(quote.quotedAt)
  const lockedUntil = exactTime(end)
  return (
    <section aria-label={t`Price of ${createdAt}`}>
      <p className="text-dense">
        <span className="font-medium tabular-nums">
          <Trans>
            {currencyCode} on {network}: {price}
          </Trans>
        </span>{' '}
        <span className="text-muted">
          <Trans>
            made {createdAt}, rate locked until {lockedUntil}
          </Trans>
        </span>
      </p>
      {evidence.length === 0 && (
        <p className="mt-1 text-dense text-muted">
          <Trans>A fixed price; no source was asked.</Trans>
        </p>
      )}
      <ul className="mt-1 divide-y divide-border">
        {evidence.map((one) => (
          <li
            key={`${one.source}-${one.at.getTime()}`}
            className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-0.5 py-2 text-dense sm:grid-cols-[1fr_1fr_1.4fr_auto]"
          >
            <span className="font-medium break-words">{one.source}</span>
            <bdi dir="ltr" className="text-end tabular-nums sm:text-start">
              {one.price}
            </bdi>
            <span className="text-muted">{exactTime(one.at)}</span>
            <span className="justify-self-end">
              {one.used ? (
                <StatusBadge tone="success" word={t`Used`} />
              ) : (
                <StatusBadge tone="neutral" word={t`Not used`} wire={one.why ?? ''} />
              )}
            </span>
            {!one.used && one.why !== null && (
              <span className="col-span-full text-muted">
                <Trans>Not used: {one.why}</Trans>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A price shows its cents, and what it has below them. */
function priceText(price: string): string {
  const [whole = '0', fraction = ''] = price.split('.')
  return `$${truncateAmount(whole)}.${fraction.slice(0, 8).replace(/0+$/, '').padEnd(2, '0')}`
}
