import type { PayoutQuote } from '@kassa/contract/withdrawals/batch.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'

import { asRequestError } from '../../../api/request-error.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { payoutWait } from '../../../labels/payout-labels.ts'
import { quotedText } from '../../../labels/policy-labels.ts'
import { assetAmount, usd } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { KeyValue, type KeyValueRow } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'

type Total = PayoutQuote['totals'][number]

/** What the server answers about payouts that are not requested yet, or why it does not. */
export function QuoteFacts({ quote: { data, error, refetch } }: { quote: UseQueryResult<PayoutQuote> }) {
  if (error !== null) return <QuoteFailure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { policy, totals } = data
  const isOne = totals.length === 1
  return (
    <KeyValue
      rows={[
        { label: t`Policy`, value: quotedText(policy) },
        { label: t`Today, with this`, value: t`${usd(policy.dayUsed)} of ${usd(policy.dayLimit)}` },
        ...totals.flatMap((total) => totalRows(total, isOne)),
      ]}
    />
  )
}

/** A refusal is what the request would meet as well; anything else may work when it is tried again. */
function QuoteFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { message, status } = asRequestError(error)
  const isRefused = status >= 400 && status < 500 && status !== 429
  return (
    <div className="py-2">
      <Banner
        tone="warning"
        action={
          isRefused ? undefined : (
            <Button size="small" onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          )
        }
      >
        {isRefused ? message : t`Fee and approvals couldn’t be read. ${message}`}
      </Banner>
    </div>
  )
}

/** Of several assets each row names its own. */
function totalRows(total: Total, isOne: boolean): KeyValueRow[] {
  const { currencyCode, blockchainCode, fee } = total
  const place = `${currencyCode} · ${networkName(blockchainCode)}`
  const named = (label: string) => (isOne ? label : `${label} · ${place}`)
  const wait = payoutWait(total)
  return [
    ...(isOne ? [] : [{ label: place, value: t`${assetAmount(total.amount, currencyCode)} in total` }]),
    { label: named(t`Network fee`), value: fee === null ? t`Not available at the moment` : feeText(fee) },
    { label: named(t`From`), value: floatText(total) },
    ...(wait === undefined
      ? []
      : [{ label: named(t`Will wait`), value: <span className="text-warning-text">{wait}</span> }]),
  ]
}

function feeText({ amount, currencyCode, amountInUSD }: NonNullable<Total['fee']>): string {
  const about = assetAmount(amount, currencyCode)
  return amountInUSD === null ? t`about ${about}` : t`about ${about} (${usd(amountInUSD)})`
}

function floatText({ available, availableAfter, currencyCode }: Total): string {
  const free = assetAmount(available, currencyCode)
  if (availableAfter.startsWith('-')) return t`Only ${free} is available; the payout will wait.`
  const rest = assetAmount(availableAfter, currencyCode)
  return t`Hot wallet, ${free} free; after it ${rest}`
}
