import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { describe, expect, it } from 'vitest'

import { paymentTimeline } from './timeline-entries.ts'

describe('paymentTimeline', () => {
  it('says when the customer was reminded', () => {
    const entry = (event: string, minute: number) => ({
      ...{ event, actor: 'system', data: {} },
      at: new Date(Date.UTC(2026, 0, 31, 9, minute)),
    })
    const timeline = [entry('payment.created', 0), entry('payment.reminded', 45)]
    const payment = { timeline, transfers: [], deliveries: [] } as unknown as PaymentDetail
    const lines = paymentTimeline(payment, { hosts: new Map(), operatorId: 1 })
    expect(lines.map(({ title }) => title)).toEqual(['Customer reminded by e-mail', 'Created'])
  })

  it('says until when a link was extended', () => {
    const data = { reference_id: 'r', expires_at: '2026-02-03T09:30:00.000Z' }
    const timeline = [{ event: 'payment.extended', actor: 'operator:1', data, at: new Date(Date.UTC(2026, 0, 31)) }]
    const payment = { timeline, transfers: [], deliveries: [] } as unknown as PaymentDetail
    const lines = paymentTimeline(payment, { hosts: new Map(), operatorId: 1 })
    expect(lines).toMatchObject([{ title: 'Link extended', text: 'until 3 Feb 2026, 09:30 · by you' }])
  })

  it('says how much each transfer brought', () => {
    const entry = (event: string, hash: string) => ({
      ...{ event, actor: 'system', data: { payment_info: [{ transaction_hash: 'aa11' }, { transaction_hash: hash }] } },
      at: new Date(Date.UTC(2026, 0, 31, 9, 0)),
    })
    const transfer = (txHash: string, amount: string) => ({ txHash, amount, currencyCode: 'USDC', reason: null })
    const payment = {
      timeline: [entry('payment.detected', 'bb22'), entry('payment.late_deposit', 'cc33')],
      transfers: [transfer('aa11', '1'), transfer('bb22', '29.4'), transfer('cc33', '5'), transfer('cc33', '2')],
      deliveries: [],
    } as unknown as PaymentDetail
    const lines = paymentTimeline(payment, { hosts: new Map(), operatorId: 1 })
    expect(lines.map(({ text, hash }) => [text, hash])).toEqual([
      ['5\u00a0USDC + 2\u00a0USDC', 'cc33'],
      ['29.4\u00a0USDC', 'bb22'],
    ])
  })
})
