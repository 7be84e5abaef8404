import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { tickerQuery } from '../../../api/prices.ts'
import { usd } from '../../../lib/text/format.ts'
import { Age } from '../../../ui/time/Age.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { HealthCard } from './HealthCard.tsx'
import { priceRows, stalePricesText } from './price-rows.ts'
import type { PriceRow } from './price-rows.ts'

/** What each currency costs and how old that is; those without a fresh price are named. */
export function PricesCard() {
  const ticker = useQuery(tickerQuery)
  return (
    <HealthCard title={t`Prices`} loading={t`Loading Prices`} failed={t`Prices couldn’t be loaded`} answer={ticker}>
      {(data) => {
        const rows = priceRows(data)
        const stale = stalePricesText(rows)
        return (
          <div className="flex flex-col gap-2">
            {stale !== undefined && <Banner tone="warning">{stale}</Banner>}
            {rows.length === 0 && (
              <p className="text-body text-muted">
                <Trans>No currency can be paid with yet.</Trans>
              </p>
            )}
            <ul aria-label={t`Prices`} className="-my-1 divide-y divide-border">
              {rows.map((row) => (
                <PriceLine key={row.code} row={row} />
              ))}
            </ul>
          </div>
        )
      }}
    </HealthCard>
  )
}

function PriceLine({ row: { code, price, updatedAt, isStale } }: { row: PriceRow }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 py-2.5 text-body">
      <span className="w-16 font-medium">{code}</span>
      <span className="flex-1 tabular-nums">{price === null ? t`No price` : usd(price)}</span>
      {isStale && <StatusBadge tone="warning" word={t`Stale`} />}
      <span className="text-dense whitespace-nowrap text-muted">
        <Trans>
          <Age at={updatedAt} /> old
        </Trans>
      </span>
    </li>
  )
}
