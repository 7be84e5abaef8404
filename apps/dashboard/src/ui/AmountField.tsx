import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import type { ReactNode, Ref } from 'react'

import { CONTROL, CONTROL_BOX, CONTROL_EDGE, Field } from './Field.tsx'

export type AmountFieldProps = {
  readonly label: string
  /** Decimal text, as it goes over the wire. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly name?: string
  readonly currency: string
  /** Digits after the point: 6 for US dollars, else the asset's precision. */
  readonly decimals: number
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly autoFocus?: boolean
  /** 48 px figures, for the one amount a screen is about. */
  readonly large?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** Commas that part thousands, and nothing else. */
const THOUSANDS = /^\d{1,3}(,\d{3})+(\.\d*)?$/

/** An amount of money, text from key to wire: "1,234.5" and "1234.5" are the same, letters are refused with a word. */
export function AmountField({
  label,
  value,
  onChange,
  hint,
  error,
  isRequired,
  currency,
  decimals,
  large,
  ref,
  ...rest
}: AmountFieldProps) {
  const [refused, setRefused] = useState<string>()
  /** What was typed while its commas stand in no thousands; the value is empty meanwhile. */
  const [halfTyped, setHalfTyped] = useState('')
  const change = (typed: string) => {
    const text = typed.replace(/\s/g, '')
    setRefused(undefined)
    setHalfTyped('')
    if (text.startsWith('-')) return onChange('0')
    if (!/^[\d,]*\.?\d*$/.test(text)) return setRefused(t`Digits and one decimal point only`)
    const [, fraction = ''] = text.split('.')
    if (fraction.length > decimals)
      return setRefused(plural(decimals, { one: 'At most # decimal', other: 'At most # decimals' }))
    if (text.includes(',') && !THOUSANDS.test(text)) {
      // Where "1,5" means one and a half, reading it as 15 would ask for ten times the money.
      setRefused(t`For decimals use a point, as in 1.50`)
      setHalfTyped(text)
      return onChange('')
    }
    onChange(text.replaceAll(',', ''))
  }
  const box = large === true ? `${CONTROL_EDGE} h-18 text-entry font-semibold` : CONTROL_BOX
  return (
    <Field
      label={label}
      hint={refused ?? hint}
      error={error === undefined ? undefined : (refused ?? error)}
      isRequired={isRequired}
    >
      {(control) => (
        <div className={box}>
          {currency === 'USD' && <span className="ps-3 text-muted">$</span>}
          <input
            {...control}
            {...rest}
            ref={ref}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            value={value === '' ? halfTyped : value}
            onChange={(event) => change(event.currentTarget.value)}
            className={`${CONTROL} tabular-nums ${currency === 'USD' ? 'ps-1.5' : ''}`}
          />
          <span className="pe-3 text-body font-medium text-muted">{currency}</span>
        </div>
      )}
    </Field>
  )
}
