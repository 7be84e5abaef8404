import { describe, expect, it } from 'vitest'

import { paymentDetail } from '../../../testing/payment-answers.ts'
import { paymentNotes } from './payment-notes.ts'

describe('paymentNotes', () => {
  it('says after how many confirmations money counts, and where it was seen', () => {
    const seen = { ...paymentDetail(), fundingState: 'confirming' } as const
    expect(paymentNotes({ ...seen, blockchainSymbol: 'BASE', confirmationRequired: 12 })).toEqual([
      'Seen on Base; it counts after 12 confirmations.',
    ])
    expect(paymentNotes({ ...seen, blockchainSymbol: null, confirmationRequired: 1 })).toEqual([
      'Seen on the network; it counts after 1 confirmation.',
    ])
  })

  it('leaves it to what needs a person that money came too late, and says it once when that is settled', () => {
    const open = { ...paymentDetail(), paymentState: 'CANCELLED', cancelReason: 'expired', late: true } as const
    expect(paymentNotes(open)).toEqual([])
    expect(paymentNotes({ ...open, paymentState: 'FILLED' })).toEqual([])
    const late = { ...open, resolved: { at: new Date(), actor: 'operator:1', note: 'Sent back.' } }
    expect(paymentNotes(late)).toEqual(['It ended before its money came.'])
    expect(paymentNotes({ ...late, cancelReason: 'superseded' })).toEqual([
      'This customer got a newer link.',
      'Money arrived after this payment had ended.',
    ])
  })
})
