import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'

import { rewardMoney } from '../../../labels/growth-labels.ts'
import { unitsOf } from '../../../labels/graphs/units.ts'

/** Millionths, as every amount of the programme has. */
const DECIMALS = 6

/** What a campaign has given of its budget; the sum alone where it has none. */
export function BudgetBar({ campaign }: { campaign: Campaign }) {
  const { name, budget, totalRewards, currencyCode } = campaign
  const given = rewardMoney(totalRewards, currencyCode)
  if (budget === null) return <span className="tabular-nums">{given}</span>
  const whole = rewardMoney(budget, currencyCode)
  const share = shareOf(totalRewards, budget)
  return (
    <div className="min-w-28">
      <div className="flex flex-wrap justify-between gap-x-2 text-dense tabular-nums">
        <span>{given}</span>
        <span className="text-muted">{t`of ${whole}`}</span>
      </div>
      <div
        role="meter"
        aria-label={t`Budget of ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={t`${given} of ${whole}`}
        className="mt-1 h-1.5 overflow-hidden rounded-chip bg-sunken"
      >
        <div
          className={`h-full ${share >= 100 ? 'bg-warning-solid' : 'bg-accent-text'}`}
          style={{ inlineSize: `${share}%` }}
        />
      </div>
    </div>
  )
}

/** Whole per cent; less than all of it is never 100. */
function shareOf(given: string, budget: string): number {
  const whole = unitsOf(budget, DECIMALS)
  return whole <= 0n ? 0 : Math.min(100, Number((unitsOf(given, DECIMALS) * 100n) / whole))
}
