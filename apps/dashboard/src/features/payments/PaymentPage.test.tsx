import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, sandboxConfiguration } from '../../testing/answers.ts'
import { paymentDetail, reference, wireDetail } from '../../testing/payment-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import { PaymentPage } from './PaymentPage.tsx'

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1200
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answer: () => unknown) {
  stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/7/webhook': () => [],
    [`GET /external-platform/7/payment/${reference(1)}`]: answer,
  })
  renderScreen(
    <PaymentPage projectId="7" reference={reference(1)} tools={() => null} />,
    `/project/7/payments/allPayments/${reference(1)}`,
  )
}

describe('the page of a payment', () => {
  it('shows its history and offers what can be done about it', async () => {
    open(() => wireDetail(paymentDetail()))
    expect(await screen.findByRole('heading', { level: 1, name: 'Payment …000001' })).toBeDefined()
    const detail = within(await screen.findByRole('region', { name: 'Payment …000001' }))
    expect(await detail.findByRole('list', { name: 'Timeline' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Actions' })).toBeDefined()
    const back = screen.getByRole('link', { name: 'All payments' })
    expect(back.getAttribute('href')).toBe('/project/7/payments/allPayments')
  })

  it('keeps its actions in reach on a narrow screen', async () => {
    window.innerWidth = 390
    open(() => wireDetail(paymentDetail()))
    expect(await screen.findAllByRole('button', { name: 'Actions' })).toHaveLength(1)
  })

  it('says that there is no such payment', async () => {
    open(() => refusal(404, 'PAYMENT_NOT_FOUND', 'No such payment.'))
    expect(await screen.findByText('There’s no payment with this reference here')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull()
  })
})
