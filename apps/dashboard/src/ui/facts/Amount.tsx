import { assetAmount, fullAmount, usd } from '../../lib/text/format.ts'

export type AmountProps = {
  /** Decimal text, exact. */
  readonly value: string
  /** `USD`, or the asset's code. */
  readonly currency: string
  /** The same in US dollars, shown after it. */
  readonly usd?: string | undefined
  /** Every digit, for where money is decided. */
  readonly full?: boolean
}

/** An amount with its unit; the element carries the exact number, hover shows it. */
export function Amount({ value, currency, usd: dollars, full = false }: AmountProps) {
  const print = full ? fullAmount : assetAmount
  return (
    <data value={value} title={`${value} ${currency}`} className="whitespace-nowrap tabular-nums">
      {currency === 'USD' ? usd(value) : print(value, currency)}
      {dollars !== undefined && <span className="text-muted"> ({usd(dollars)})</span>}
    </data>
  )
}
