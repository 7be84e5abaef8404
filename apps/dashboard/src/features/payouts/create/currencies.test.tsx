import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { wireBalance, wireQuote, wireRecipient, wireRecipients } from '../../../testing/payout-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { NewPayout } from '../NewPayout.tsx'

const P = '/project/7'

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1300
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function show(balances: () => unknown) {
  stubServer({
    'GET /member/me': () => me('root'),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    [`GET ${P}/recipients`]: () => wireRecipients([wireRecipient()]),
    [`GET ${P}/payout-balance`]: balances,
    [`POST ${P}/withdrawals/quote`]: () => wireQuote(),
  })
  renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
  await userEvent.selectOptions(await screen.findByLabelText(/^To/), '5')
}

it('says that payouts on a network are not possible only where that is known', async () => {
  let isDown = true
  await show(() => (isDown ? refusal(500, 'INTERNAL_ERROR', 'Something broke.') : [wireBalance()]))
  expect(await screen.findByText('Currencies couldn’t be loaded')).toBeDefined()
  expect(screen.queryByText('Payouts on Base are not possible.')).toBeNull()
  expect(screen.getByRole('option', { name: 'Couldn’t be loaded' })).toBeDefined()
  expect(screen.queryByRole('option', { name: 'None' })).toBeNull()
  await userEvent.type(screen.getByLabelText(/^Amount/), '5')
  await userEvent.click(screen.getByRole('button', { name: 'Review payout' }))
  expect(await screen.findByText('Choose a currency')).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('option', { name: 'USDC' })).toBeDefined()
})

it('says so where the network pays out nothing', async () => {
  await show(() => [wireBalance({ blockchainCode: 'ETH' })])
  expect(await screen.findByText('Payouts on Base are not possible.')).toBeDefined()
})
