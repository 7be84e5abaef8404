import { MOST_BULK_ROWS } from '@kassa/contract/bulk-jobs/schemas.ts'
import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import type { PaymentFilter } from '../../../api/payments.ts'
import { count } from '../../../lib/text/format.ts'
import { actionTitle } from '../bulk-jobs/action-titles.ts'
import type { RowResult } from '../bulk-jobs/use-bulk-jobs.ts'
import { cannotCancelRow } from '../payment/row-actions.ts'

export type BulkTask = {
  readonly title: string
  /** What will happen, and what will not: each sentence stands for itself. */
  readonly sentences: readonly string[]
  /** What the press does, in words: "Cancel 12 links". */
  readonly action: string
  readonly danger: boolean
  /** Why it is done is asked first, and kept with each payment. */
  readonly needsNote?: true
  /** The action of bulk jobs. */
  readonly does: string
  /** What to say of a payment it was done to. */
  readonly doneText: (result: RowResult) => string
  /** How many payments it takes. */
  readonly count: number
  readonly rows: readonly PaymentRow[]
  /** In place of rows: all that match, in each of these projects. */
  readonly whole?: Whole
}

/** What can be done to many payments. */
export type Job = 'resend' | 'mark_resolved' | 'cancel'

export type Whole = { readonly filter: PaymentFilter; readonly projectIds: readonly string[] }

const ACTIONS: Readonly<Record<Job, string>> = {
  resend: 'payment.resend_webhook',
  mark_resolved: 'payment.mark_resolved',
  cancel: 'payment.cancel',
}

/** The actions of all jobs. */
export const JOB_ACTIONS = Object.values(ACTIONS)

/** Returns what a job is called. */
export function jobTitle(job: Job): string {
  return actionTitle(ACTIONS[job])
}

/** Returns what is done to those of the picked payments the operator may do it to. */
export function taskOf(job: Job, picked: readonly PaymentRow[], may: (row: PaymentRow) => boolean): BulkTask {
  if (job === 'mark_resolved') return settling(picked, may)
  return job === 'resend' ? resending(picked, may) : cancelling(picked, may)
}

/** Returns what is done to all that match; so many do, as far as is known. */
export function wholeTaskOf(job: Job, matches: number, whole: Whole): BulkTask {
  const payments = Math.min(matches, MOST_BULK_ROWS)
  const sentences = matches === 0 ? [t`No payment matches any more.`] : wholeSentences(job, payments)
  const limited = matches > MOST_BULK_ROWS ? [...sentences, limitText()] : sentences
  return { ...pressOf(job, payments), sentences: limited, rows: [], whole }
}

function wholeSentences(job: Job, payments: number): string[] {
  if (job === 'resend') return [resentText(payments)]
  if (job === 'mark_resolved') return [resolvedText(payments), staysText()]
  return [cancelledText(payments), t`What else matches is left out: ended already, or money was seen.`]
}

/** What the press does to so many payments, and what is said of each afterwards. */
function pressOf(job: Job, payments: number): Omit<BulkTask, 'sentences' | 'rows'> {
  const shared = { title: jobTitle(job), does: ACTIONS[job], count: payments }
  if (job === 'mark_resolved') {
    const action = t`Mark ${count(payments)} as resolved`
    return { ...shared, action, danger: false, needsNote: true, doneText: () => t`Resolved` }
  }
  if (job === 'cancel') {
    const action = t`Cancel ${plural(payments, { one: '# link', other: '# links' })}`
    return { ...shared, action, danger: true, doneText: () => t`Cancelled` }
  }
  return { ...shared, action: t`Resend ${count(payments)}`, danger: false, doneText: sentText }
}

function sentText({ endpoints }: RowResult): string {
  if (endpoints === 0) return t`No endpoint receives this event`
  return t`Sent to ${plural(Number(endpoints), { one: '# endpoint', other: '# endpoints' })}`
}

function resentText(payments: number): string {
  return t`Your shop is notified again of the state of ${plural(payments, { one: '# payment', other: '# payments' })}.`
}

function resolvedText(payments: number): string {
  return t`${plural(payments, { one: '# payment is', other: '# payments are' })} marked as resolved. No money moves.`
}

function staysText(): string {
  return t`What still waits for money, or for a decision about money on hold, stays as it is.`
}

function cancelledText(links: number): string {
  return t`${plural(links, { one: '# link', other: '# links' })} can no longer be paid.`
}

/** Returns why a task has nothing to do; `undefined` when it has. */
export function whyIdle({ count: payments, sentences }: BulkTask): string | undefined {
  return payments === 0 ? sentences[0] : undefined
}

function resending(rows: readonly PaymentRow[], may: (row: PaymentRow) => boolean): BulkTask {
  const resent = rows.filter(may)
  const payments = resent.length
  const barred = rows.length - payments
  const notMine = t`${plural(barred, {
    one: '# payment is left out: you may not resend webhooks of its project.',
    other: '# payments are left out: you may not resend webhooks of their projects.',
  })}`
  const sentences =
    rows.length === 0
      ? [t`No payment matches any more.`]
      : said(payments > 0 && resentText(payments), barred > 0 && notMine)
  return { ...pressOf('resend', payments), sentences, rows: resent }
}

function settling(rows: readonly PaymentRow[], may: (row: PaymentRow) => boolean): BulkTask {
  const inNeed = rows.filter(({ needsAttention }) => needsAttention)
  const mine = inNeed.filter(may)
  const payments = mine.length
  const barred = inNeed.length - payments
  const leftOut = rows.length - inNeed.length
  const notMine = t`${plural(barred, {
    one: '# payment is left out: you may not decide about it.',
    other: '# payments are left out: you may not decide about them.',
  })}`
  const others = t`${plural(leftOut, {
    one: '# other is left out: nothing about it needs attention.',
    other: '# others are left out: nothing about them needs attention.',
  })}`
  const isSome = payments > 0
  const sentences =
    inNeed.length === 0
      ? [t`None of them needs attention.`]
      : said(isSome && resolvedText(payments), isSome && staysText(), barred > 0 && notMine, leftOut > 0 && others)
  return { ...pressOf('mark_resolved', payments), sentences, rows: mine }
}

function cancelling(rows: readonly PaymentRow[], may: (row: PaymentRow) => boolean): BulkTask {
  const open = rows.filter((row) => cannotCancelRow(row) === undefined)
  const mine = open.filter(may)
  const links = mine.length
  const barred = open.length - links
  const leftOut = rows.length - open.length
  const notMine = t`${plural(barred, {
    one: '# open link is left out: you may not cancel links of its project.',
    other: '# open links are left out: you may not cancel links of their projects.',
  })}`
  const others = t`${plural(leftOut, { one: '# other is', other: '# others are' })} left out: ended already, or money was seen.`
  const sentences =
    open.length === 0
      ? [t`None of them is an open link without money.`]
      : said(links > 0 && cancelledText(links), barred > 0 && notMine, leftOut > 0 && others)
  return { ...pressOf('cancel', links), sentences, rows: mine }
}

/** Leaves out the sentences there is no reason for. */
function said(...sentences: readonly (string | false)[]): string[] {
  return sentences.filter((sentence) => sentence !== false)
}

function limitText(): string {
  const most = count(MOST_BULK_ROWS)
  return t`Only the first ${most} are taken at once; narrow the list for the others.`
}
