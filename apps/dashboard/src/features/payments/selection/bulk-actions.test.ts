import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { describe, expect, it } from 'vitest'

import { paymentRow, reference } from '../../../testing/payment-answers.ts'
import { taskOf, whyIdle, wholeTaskOf } from './bulk-actions.ts'
import type { Job } from './bulk-actions.ts'

const MINE = 7
const whole = { filter: { amountMin: '10' }, projectIds: ['7', '8'] }
const may = ({ externalPlatformID }: PaymentRow) => externalPlatformID === MINE

const row = (digit: number, more: Partial<PaymentRow> = {}) =>
  paymentRow({ id: digit, referenceId: reference(digit), externalPlatformID: MINE, ...more })
const open = row(1)
const ended = row(2, { paymentStatus: 'CANCELLED' })
const others = row(3, { externalPlatformID: 8 })
const othersEnded = row(4, { externalPlatformID: 8, paymentStatus: 'CANCELLED' })

function ask(job: Job, rows: readonly PaymentRow[]) {
  const task = taskOf(job, rows, may)
  return { sentences: task.sentences, taken: task.rows, idle: whyIdle(task) }
}

describe('cancelling', () => {
  it('says apart what has ended and what the operator may not cancel', () => {
    expect(ask('cancel', [open, ended, others, othersEnded])).toEqual({
      sentences: [
        '1 link can no longer be paid.',
        '1 open link is left out: you may not cancel links of its project.',
        '2 others are left out: ended already, or money was seen.',
      ],
      taken: [open],
      idle: undefined,
    })
  })

  it('calls no open link ended where the operator may cancel none of them', () => {
    const sentence = '1 open link is left out: you may not cancel links of its project.'
    expect(ask('cancel', [others])).toEqual({ sentences: [sentence], taken: [], idle: sentence })
  })

  it('says that none is open', () => {
    const sentence = 'None of them is an open link without money.'
    expect(ask('cancel', [ended, othersEnded])).toEqual({ sentences: [sentence], taken: [], idle: sentence })
  })
})

describe('resending', () => {
  it('says how many the operator may not resend', () => {
    expect(ask('resend', [open, ended, others, othersEnded])).toEqual({
      sentences: [
        'Your shop is notified again of the state of 2 payments.',
        '2 payments are left out: you may not resend webhooks of their projects.',
      ],
      taken: [open, ended],
      idle: undefined,
    })
  })

  it('tells of none where the operator may resend none', () => {
    const sentence = '1 payment is left out: you may not resend webhooks of its project.'
    expect(ask('resend', [others])).toEqual({ sentences: [sentence], taken: [], idle: sentence })
  })

  it('says that nothing matches any more', () => {
    expect(ask('resend', []).sentences).toEqual(['No payment matches any more.'])
  })
})

describe('settling', () => {
  const inNeed = { needsAttention: true }
  const [mine, another] = [row(5, inNeed), row(6, { ...inNeed, externalPlatformID: 8 })]
  const stays = 'What still waits for money, or for a decision about money on hold, stays as it is.'

  it('takes what needs attention, and says apart what does not and what the operator may not decide', () => {
    expect(ask('mark_resolved', [mine, another, open, ended])).toEqual({
      sentences: [
        '1 payment is marked as resolved. No money moves.',
        stays,
        '1 payment is left out: you may not decide about it.',
        '2 others are left out: nothing about them needs attention.',
      ],
      taken: [mine],
      idle: undefined,
    })
  })

  it('says that none needs attention', () => {
    const sentence = 'None of them needs attention.'
    expect(ask('mark_resolved', [open, ended])).toEqual({ sentences: [sentence], taken: [], idle: sentence })
  })
})

describe('all that match', () => {
  const askWhole = (job: Job, matches: number) => wholeTaskOf(job, matches, whole)

  it('are said to be as many as were counted, and left to the server', () => {
    expect(askWhole('cancel', 3)).toMatchObject({
      sentences: ['3 links can no longer be paid.', 'What else matches is left out: ended already, or money was seen.'],
      action: 'Cancel 3 links',
      does: 'payment.cancel',
      count: 3,
      rows: [],
      whole,
    })
    expect(askWhole('mark_resolved', 1).sentences[0]).toBe('1 payment is marked as resolved. No money moves.')
  })

  it('are no more than one job takes', () => {
    expect(askWhole('resend', 12_408)).toMatchObject({
      sentences: [
        'Your shop is notified again of the state of 10,000 payments.',
        'Only the first 10,000 are taken at once; narrow the list for the others.',
      ],
      action: 'Resend 10,000',
    })
  })

  it('may be none any more', () => {
    const task = askWhole('resend', 0)
    expect([task.sentences, whyIdle(task)]).toEqual([['No payment matches any more.'], 'No payment matches any more.'])
  })
})
