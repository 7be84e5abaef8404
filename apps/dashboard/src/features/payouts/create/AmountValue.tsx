import type { PayoutBalance } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'

import { truncateAmount, usd } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { valueInUsd } from './amounts.ts'

export type AmountValueProps = {
  readonly amount: string
  readonly balance: PayoutBalance
  readonly onMax: (amount: string) => void
}

/** Below an amount: its current value, and a button that fills in all that the project may pay out. */
export function AmountValue({ amount, balance: { payable, priceInUSD }, onMax }: AmountValueProps) {
  const value = valueInUsd(amount, priceInUSD)
  const most = truncateAmount(payable)
  return (
    <div className="-mt-2 flex flex-wrap items-center justify-between gap-x-3 text-body text-muted">
      <span className="tabular-nums">{value !== undefined && t`≈ ${usd(value)}`}</span>
      <Button kind="quiet" size="small" disabled={!/[1-9]/.test(payable)} onClick={() => onMax(payable)}>
        {t`Max ${most}`}
      </Button>
    </div>
  )
}
