import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { wireBalance, wireQuote, wireRecipient, wireRecipients } from '../../../testing/payout-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { NewPayout } from '../NewPayout.tsx'

const P = '/project/7'

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('../batch/PayoutList.tsx'))
beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 390
  stubServer({
    'GET /member/me': () => me('root'),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    [`GET ${P}/recipients`]: () => wireRecipients([wireRecipient()]),
    [`GET ${P}/payout-balance`]: () => [wireBalance()],
    [`POST ${P}/withdrawals/quote`]: () => wireQuote(),
  })
  renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const barOf = (name: string) => screen.getByRole('button', { name }).closest('.page-actions')

it('keeps the review of a payout at hand, and the other way to pay out above', async () => {
  await screen.findByRole('button', { name: 'Review payout' })
  expect(barOf('Review payout')).not.toBeNull()
  expect(barOf('Many from CSV')).toBeNull()
})

it('keeps the review of many payouts at hand', async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Many from CSV' }))
  await userEvent.click(await screen.findByLabelText('Or paste the lines'))
  await userEvent.paste('recipient,network,currency,amount,reference,note\nSupplier A,,usdc,5,salary-1,October')
  await userEvent.click(screen.getByRole('button', { name: 'Check the lines' }))
  await screen.findByRole('button', { name: 'Review payouts' })
  expect(barOf('Review payouts')).not.toBeNull()
  expect(barOf('One payout')).toBeNull()
})
