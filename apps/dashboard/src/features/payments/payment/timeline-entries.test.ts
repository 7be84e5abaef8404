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
})
