import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { describe, expect, it } from 'vitest'

import { paymentRow, reference } from '../../../testing/payment-answers.ts'
import { bulkActionOf, whyIdle } from './bulk-actions.ts'
import type { Job, Selected } from './bulk-actions.ts'

const MINE = 7
const may = ({ externalPlatformID }: PaymentRow) => externalPlatformID === MINE

const row = (digit: number, more: Partial<PaymentRow> = {}) =>
  paymentRow({ id: digit, referenceId: reference(digit), externalPlatformID: MINE, ...more })
const open = row(1)
const ended = row(2, { paymentStatus: 'CANCELLED' })
const others = row(3, { externalPlatformID: 8 })
const othersEnded = row(4, { externalPlatformID: 8, paymentStatus: 'CANCELLED' })

function ask(job: Job, rows: readonly PaymentRow[], more: Partial<Selected> = {}) {
  const bulkAction = bulkActionOf(job, { rows, isAll: true, isWhole: false, ...more }, may)
  return { sentences: bulkAction.sentences, taken: bulkAction.rows, idle: whyIdle(bulkAction) }
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

  it('says of all that match what the operator may not cancel', () => {
    expect(ask('cancel', [open, others], { isWhole: true, isAll: false }).sentences).toEqual([
      '1 link can no longer be paid.',
      '1 open link is left out: you may not cancel links of its project.',
      'What else matches is left out: ended already, or money was seen.',
      'Only the first 10,000 are taken at once; narrow the list for the others.',
    ])
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
    expect(ask('resend', [open, ended, others, othersEnded], { isAll: false })).toEqual({
      sentences: [
        'Your shop is notified again how 2 payments stand.',
        '2 payments are left out: you may not resend webhooks of their projects.',
        'Only the first 10,000 are taken at once; narrow the list for the others.',
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
  const needingAttention = { needsAttention: true }
  const [allowed, another] = [row(5, needingAttention), row(6, { ...needingAttention, externalPlatformID: 8 })]
  const stays = 'What still waits for money, or for a decision about money on hold, stays as it is.'

  it('takes what needs attention, and says apart what does not and what the operator may not decide', () => {
    expect(ask('settle', [allowed, another, open, ended])).toEqual({
      sentences: [
        '1 payment is marked as resolved. No money moves.',
        stays,
        '1 payment is left out: you may not decide about it.',
        '2 others are left out: nothing about them needs attention.',
      ],
      taken: [allowed],
      idle: undefined,
    })
  })

  it('says nothing of the others where all that match were read for it', () => {
    expect(ask('settle', [allowed, open], { isWhole: true }).sentences).toEqual([
      '1 payment is marked as resolved. No money moves.',
      stays,
    ])
  })

  it('says that none needs attention', () => {
    const sentence = 'None of them needs attention.'
    expect(ask('settle', [open, ended])).toEqual({ sentences: [sentence], taken: [], idle: sentence })
  })
})
