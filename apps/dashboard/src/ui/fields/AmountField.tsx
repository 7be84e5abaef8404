import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { ReactNode, Ref } from 'react'

import { bareAmount, amountError, wireAmount } from '../../lib/text/amount-text.ts'
import { CONTROL, CONTROL_BOX, CONTROL_EDGE, Field } from './Field.tsx'

export type AmountFieldProps = {
  readonly label: string
  /** Decimal text, as it goes over the wire; or what was typed instead (`amountError` tells). */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly name?: string
  readonly currency: string
  /** Digits after the point: `CENTS` for US dollars, else the asset's precision. */
  readonly decimals: number
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly autoFocus?: boolean
  /** 48 px figures, for the one amount a screen is about. */
  readonly large?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** A text that can still become thousands with the next keys: it is explained, not marked wrong. */
const UNDERWAY = /^[1-9]\d{0,2}(,\d{3})*,\d{0,2}$/

/** Longer ones are drawn smaller where the amount is large. */
const LARGE_LENGTH = 9

/**
 * An amount of money, text from key to wire: "1,234.5" and "1234.5" are the same. What is no amount stays as it was typed,
 * is told why, and is the value: dropping a key of it would make another amount, so whoever sends the form refuses it.
 * What is below zero is 0 (spec 3.5) and stays to be read until the field is left: the next key must not make 5 of "-5".
 */
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
  onBlur,
  ref,
  ...rest
}: AmountFieldProps) {
  const [initial] = useState(value)
  const [typed, setTyped] = useState(value)
  const read = (text: string) => (text.startsWith('-') ? '0' : wireAmount(text, decimals))
  const isNegative = typed.startsWith('-')
  // What came so from the server is not the operator's to correct.
  const refused = value === initial ? undefined : amountError(value, decimals)
  const isUnderway = error === undefined && UNDERWAY.test(value)
  const note = isNegative ? t`Less than zero counts as 0` : hint
  const change = (text: string) => {
    const next = bareAmount(text, currency)
    setTyped(next)
    onChange(read(next))
  }
  const figures = value.length > LARGE_LENGTH ? 'text-entry-long' : 'text-entry'
  const box = large === true ? `${CONTROL_EDGE} h-18 ${figures} font-semibold` : CONTROL_BOX
  return (
    <Field
      label={label}
      hint={isUnderway ? refused : note}
      error={isUnderway ? undefined : (refused ?? error)}
      isRequired={isRequired}
    >
      {(control) => (
        // The large figures shrink with the place they have.
        <div className={large === true ? '@container' : undefined}>
          <div className={box}>
            {currency === 'USD' && <span className="ps-3 text-muted">$</span>}
            <input
              {...control}
              {...rest}
              ref={ref}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              // Its commas and its point stay while it is typed: without them the next key would make another amount.
              value={read(typed) === value ? typed : value}
              onBlur={() => {
                if (isNegative) setTyped(value)
                onBlur?.()
              }}
              onChange={(event) => change(event.currentTarget.value)}
              className={`${CONTROL} tabular-nums ${currency === 'USD' ? 'ps-1.5' : ''}`}
            />
            <span className="pe-3 text-body font-medium text-muted">{currency}</span>
          </div>
        </div>
      )}
    </Field>
  )
}
