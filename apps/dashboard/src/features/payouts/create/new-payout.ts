/** The form of a payout: what prevents it, and the request for the server. */
import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import { t } from '@lingui/core/macro'

import type { NewPayoutRequest } from '../../../api/payouts.ts'
import { dayAndMinute } from '../../../lib/time/time.ts'

export type Draft = {
  readonly recipient: Recipient
  readonly currencyCode: string
  readonly amount: string
  /** What the amount is worth in US dollars; undefined without a price. */
  readonly value: string | undefined
  readonly note: string
}

/** Returns what is wrong with a typed amount. */
export function amountProblem(amount: string): { readonly amount?: string } {
  const text = amount.trim()
  if (text === '') return { amount: t`Amount is required` }
  if (!/^\d+(\.\d+)?$/.test(text)) return { amount: t`Enter an amount such as 800.00` }
  return /[1-9]/.test(text) ? {} : { amount: t`Amount must be greater than 0` }
}

/** Returns why a recipient cannot be paid now. */
export function recipientProblem({ status, payableFrom }: Recipient): string | undefined {
  if (status === 'blocked') return t`blocked`
  if (status !== 'active' || payableFrom === null) return t`not verified yet`
  if (payableFrom <= new Date()) return undefined
  const time = dayAndMinute(payableFrom)
  return t`payable from ${time}`
}

/** Returns the request for the server. */
export function toRequest({ recipient, currencyCode, amount, note }: Draft): NewPayoutRequest {
  return { recipientID: recipient.id, currencyCode, amount, ...(note !== '' && { note }) }
}
