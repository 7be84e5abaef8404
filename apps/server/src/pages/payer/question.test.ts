import { fail } from '@kassa/contract/kit/api-error.ts'
import { describe, expect, it } from 'vitest'

import type { Context } from '../../context.ts'
import { askAbout, type Answerer, readQuestion } from './question.ts'

const ctx = {} as Context
const question = { txHash: `0x${'ab'.repeat(32)}`, blockchainCode: '' }
const answerer: Answerer = {
  limit: async () => undefined,
  diagnose: async () => fail('INTERNAL_ERROR'),
}

describe('checkout question', () => {
  it('is read from the form that holds one, and from no other', () => {
    expect(readQuestion({ txHash: ' 0xab ' })).toEqual({ txHash: '0xab', blockchainCode: '' })
    expect(readQuestion({ amount: ' 49 ', address: '', paidOn: '2026-01-31' })).toEqual({
      txHash: '',
      blockchainCode: '',
      withoutHash: { amount: '49', address: '', paidOn: '2026-01-31' },
    })
    expect(readQuestion({ asset: 'BASE:USDC' })).toBeNull()
  })

  it('comes too often: nothing is looked up, and the page says when to come back', async () => {
    let isLookedUp = false
    const busy: Answerer = {
      ...answerer,
      limit: async () => fail('RATE_LIMITED', { values: { seconds: 7 }, retryAfter: 7 }),
      diagnose: async () => {
        isLookedUp = true
        return fail('INTERNAL_ERROR')
      },
    }
    expect(await askAbout(ctx, question, busy)).toEqual({
      status: 429,
      retryAfter: 7,
      asked: { ...question, diagnosis: null, refusal: expect.objectContaining({ code: 'RATE_LIMITED', seconds: 7 }) },
    })
    expect(isLookedUp).toBe(false)
  })

  it('that contains no hash gets an error at its field, and costs none of the six questions a minute', async () => {
    const strict: Answerer = { ...answerer, limit: async () => fail('RATE_LIMITED', { retryAfter: 7 }) }
    const { status, asked } = await askAbout(ctx, { ...question, txHash: '' }, strict)
    expect([status, asked.refusal]).toEqual([200, { code: 'VALIDATION_FAILED', text: 'Transaction hash is required' }])
  })

  it('without a hash costs none of them either where an amount is no number', async () => {
    const strict: Answerer = { ...answerer, limit: async () => fail('RATE_LIMITED', { retryAfter: 7 }) }
    const withoutHash = { amount: 'a lot', address: '', paidOn: '' }
    const { status, asked } = await askAbout(ctx, { txHash: '', blockchainCode: '', withoutHash }, strict)
    expect([status, asked.refusal?.code, asked.withoutHash]).toEqual([200, 'VALIDATION_FAILED', withoutHash])
  })

  it('that fails for another reason is a fault, not an answer', async () => {
    await expect(askAbout(ctx, question, answerer)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
  })
})
