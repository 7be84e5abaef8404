import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { resendWebhookOnce, markResolvedOnce } from '../../../api/payment-repair.ts'
import { cancelPaymentOnce, MOST_COLLECTED } from '../../../api/payments.ts'
import type { CollectedPayments } from '../../../api/payments.ts'
import { count } from '../../../lib/format.ts'
import { cannotCancelRow, paymentOf } from '../payment/row-actions.ts'
import type { Act } from './useRunEach.ts'

export type BulkAction = {
  readonly title: string
  /** What will happen, and what will not: each sentence stands for itself. */
  readonly sentences: readonly string[]
  /** What the press does, in words: "Cancel 12 links". */
  readonly action: string
  readonly danger: boolean
  /** Why it is done is asked first, and kept with each payment. */
  readonly needsNote?: true
  readonly act: Act
  readonly rows: readonly PaymentRow[]
}

/** What can be done to many payments, one call after another. */
export type Job = 'resend' | 'settle' | 'cancel'

/** Returns what a job is called. */
export function jobTitle(job: Job): string {
  if (job === 'settle') return t`Mark as resolved`
  return job === 'resend' ? t`Resend webhooks` : t`Cancel open links`
}

/** The payments a job is meant for; without `isAll` more of them match than one run takes. */
export type Selected = CollectedPayments & { readonly isWhole: boolean }

/** Returns what is done to those of the picked payments the operator may do it to. */
export function bulkActionOf(job: Job, selected: Selected, may: (row: PaymentRow) => boolean): BulkAction {
  if (job === 'settle') return markingResolved(selected, may)
  return job === 'resend' ? resending(selected, may) : cancelling(selected, may)
}

/** Returns why a task has nothing to do; `undefined` when it has. */
export function whyIdle({ rows, sentences }: BulkAction): string | undefined {
  return rows.length === 0 ? sentences[0] : undefined
}

function resending({ rows, isAll }: Selected, may: (row: PaymentRow) => boolean): BulkAction {
  const notified = rows.filter(may)
  const payments = notified.length
  const barred = rows.length - payments
  const what = t`Your shop is notified again how ${plural(payments, { one: '# payment stands', other: '# payments stand' })}.`
  const notAllowed = t`${plural(barred, {
    one: '# payment is left out: you may not resend webhooks of its project.',
    other: '# payments are left out: you may not resend webhooks of their projects.',
  })}`
  return {
    title: jobTitle('resend'),
    sentences:
      rows.length === 0
        ? [t`No payment matches any more.`]
        : said(payments > 0 && what, barred > 0 && notAllowed, !isAll && limitText()),
    action: t`Resend ${count(payments)}`,
    danger: false,
    rows: notified,
    act: async (row, key) => {
      const sent = await resendWebhookOnce(paymentOf(row), key)
      if (sent === 0) return t`No endpoint receives this event`
      return t`Sent to ${plural(sent, { one: '# endpoint', other: '# endpoints' })}`
    },
  }
}

function markingResolved({ rows, isAll, isWhole }: Selected, may: (row: PaymentRow) => boolean): BulkAction {
  const needingAttention = rows.filter(({ needsAttention }) => needsAttention)
  const allowed = needingAttention.filter(may)
  const payments = allowed.length
  const barred = needingAttention.length - payments
  const leftOut = rows.length - needingAttention.length
  const what = t`${plural(payments, { one: '# payment is', other: '# payments are' })} marked as resolved. No money moves.`
  const stays = t`What still waits for money, or for a decision about money on hold, stays as it is.`
  const notAllowed = t`${plural(barred, {
    one: '# payment is left out: you may not decide about it.',
    other: '# payments are left out: you may not decide about them.',
  })}`
  const others = t`${plural(leftOut, {
    one: '# other is left out: nothing about it needs attention.',
    other: '# others are left out: nothing about them needs attention.',
  })}`
  return {
    title: jobTitle('settle'),
    sentences:
      needingAttention.length === 0
        ? [t`None of them needs attention.`]
        : said(
            payments > 0 && what,
            payments > 0 && stays,
            barred > 0 && notAllowed,
            !isWhole && leftOut > 0 && others,
            !isAll && limitText(),
          ),
    action: t`Mark ${count(payments)} as resolved`,
    danger: false,
    needsNote: true,
    rows: allowed,
    act: async (row, key, note) => {
      await markResolvedOnce(paymentOf(row), note, key)
      return t`Resolved`
    },
  }
}

function cancelling({ rows, isAll, isWhole }: Selected, may: (row: PaymentRow) => boolean): BulkAction {
  const open = rows.filter((row) => cannotCancelRow(row) === undefined)
  const allowed = open.filter(may)
  const links = allowed.length
  const barred = open.length - links
  const leftOut = rows.length - open.length
  const warning = t`${plural(links, { one: '# link', other: '# links' })} can no longer be paid.`
  const notAllowed = t`${plural(barred, {
    one: '# open link is left out: you may not cancel links of its project.',
    other: '# open links are left out: you may not cancel links of their projects.',
  })}`
  const others = t`${plural(leftOut, { one: '# other is', other: '# others are' })} left out: ended already, or money was seen.`
  const whole = t`What else matches is left out: ended already, or money was seen.`
  return {
    title: jobTitle('cancel'),
    sentences:
      open.length === 0
        ? [t`None of them is an open link without money.`]
        : said(
            links > 0 && warning,
            barred > 0 && notAllowed,
            isWhole ? whole : leftOut > 0 && others,
            !isAll && limitText(),
          ),
    action: t`Cancel ${plural(links, { one: '# link', other: '# links' })}`,
    danger: true,
    rows: allowed,
    act: async (row, key) => {
      await cancelPaymentOnce(paymentOf(row), key)
      return t`Cancelled`
    },
  }
}

/** Leaves out the sentences there is no reason for. */
function said(...sentences: readonly (string | false)[]): string[] {
  return sentences.filter((sentence) => sentence !== false)
}

function limitText(): string {
  const most = count(MOST_COLLECTED)
  return t`Only the first ${most} are taken at once; narrow the list for the others.`
}
