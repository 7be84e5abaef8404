import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { resendWebhookOnce } from '../../../api/payment-repair.ts'
import { cancelPaymentOnce, MOST_GATHERED } from '../../../api/payments.ts'
import type { GatheredPayments } from '../../../api/payments.ts'
import { count } from '../../../lib/format.ts'
import { cannotCancelRow, paymentOf } from '../row-actions.ts'
import type { Act } from './use-run-each.ts'

export type BulkTask = {
  readonly title: string
  readonly text: string
  /** What the press does, in words: "Cancel 12 links". */
  readonly action: string
  readonly danger: boolean
  readonly act: Act
  readonly rows: readonly PaymentRow[]
}

/** What can be done to many payments, one call after another. */
export type Job = 'resend' | 'cancel'

/** Returns what a job is called. */
export function jobTitle(job: Job): string {
  return job === 'resend' ? t`Resend webhooks` : t`Cancel open links`
}

/** The payments a job is meant for; without `isAll` more of them match than one run takes. */
export type Picked = GatheredPayments & { readonly isWhole: boolean }

/** Returns what is done to those of the picked payments the operator may do it to. */
export function taskOf(job: Job, picked: Picked, may: (row: PaymentRow) => boolean): BulkTask {
  return job === 'resend' ? resending(picked, may) : cancelling(picked, may)
}

function resending({ rows, isAll }: Picked, may: (row: PaymentRow) => boolean): BulkTask {
  const told = rows.filter(may)
  const payments = told.length
  const text = t`The shop is told again how ${plural(payments, { one: '# payment stands', other: '# payments stand' })}.`
  return {
    title: jobTitle('resend'),
    text: isAll ? text : `${text} ${limitText()}`,
    action: t`Resend ${count(payments)}`,
    danger: false,
    rows: told,
    act: async (row, key) => {
      const sent = await resendWebhookOnce(paymentOf(row), key)
      if (sent === 0) return t`No endpoint is told of this`
      return t`Sent to ${plural(sent, { one: '# endpoint', other: '# endpoints' })}`
    },
  }
}

function cancelling({ rows, isAll, isWhole }: Picked, may: (row: PaymentRow) => boolean): BulkTask {
  const open = rows.filter((row) => may(row) && cannotCancelRow(row) === undefined)
  const links = open.length
  const leftOut = rows.length - links
  const warning = t`${plural(links, { one: '# link', other: '# links' })} can no longer be paid.`
  const others = t`${plural(leftOut, { one: '# other is', other: '# others are' })} left out: ended already, or money was seen.`
  const whole = t`What else matches is left out: ended already, or money was seen.`
  const sentences = [warning, isWhole ? whole : leftOut > 0 && others, !isAll && limitText()]
  return {
    title: jobTitle('cancel'),
    text: links === 0 ? noneText() : sentences.filter(Boolean).join(' '),
    action: t`Cancel ${plural(links, { one: '# link', other: '# links' })}`,
    danger: true,
    rows: open,
    act: async (row, key) => {
      await cancelPaymentOnce(paymentOf(row), key)
      return t`Cancelled`
    },
  }
}

/** Says that none of the picked payments can be cancelled. */
export function noneText(): string {
  return t`None of them is an open link without money.`
}

function limitText(): string {
  const most = count(MOST_GATHERED)
  return t`Only the first ${most} are taken at once; narrow the list for the others.`
}
