import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, sandboxConfiguration } from '../../testing/answers.ts'
import { CHOSEN, deposit, paymentDetail, reference } from '../../testing/payment-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers } from '../../testing/stub-server.ts'
import { reorganisation } from './sandbox-rules.ts'
import { SandboxTools } from './SandboxTools.tsx'

const PAY = `POST /sandbox/payment/${reference(1)}/pay`
const HEIGHTS = { chains: [{ code: 'BASE', height: 80 }], payer: [] }

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(payment: ReturnType<typeof paymentDetail>, answers: Answers = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /sandbox': () => HEIGHTS,
    ...answers,
  })
  renderScreen(<SandboxTools payment={payment} />, '/project/7/dashboard')
  return calls
}

const item = (name: string | RegExp) => screen.findByRole('menuitem', { name, hidden: true })

describe('SandboxTools', () => {
  it.each([
    ['The exact amount', 'exact'],
    ['Too little', 'under'],
    ['Too much', 'over'],
    ['After it has ended', 'late'],
    ['With a look-alike token', 'wrong_token'],
    ['In two parts', 'two_parts'],
  ])('pays in the case "%s"', async (label, payCase) => {
    const calls = open(paymentDetail(), { [PAY]: () => ({ txHash: '0x9f3c000000a01b', blockchainCode: 'BASE' }) })
    await userEvent.click(await item(label))
    expect(await screen.findByText(/^Sent on Base: 9f3c…a01b/)).toBeDefined()
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ case: payCase })
  })

  it('says why a payment failed', async () => {
    open(paymentDetail(), { [PAY]: () => refusal(503, 'RATE_UNAVAILABLE', 'No trustworthy price right now.') })
    await userEvent.click(await item('The exact amount'))
    expect(await screen.findByText('No trustworthy price right now.')).toBeDefined()
  })

  it('says why there is nothing to pay and nothing to take back', async () => {
    open(paymentDetail({ ...CHOSEN, paymentState: 'CANCELLED', cancelReason: 'expired' }))
    expect((await item('The exact amount')).getAttribute('aria-disabled')).toBe('true')
    expect(screen.getAllByText('It has ended. Make a new link.')).toHaveLength(1)
    expect((await item(/Reorganise the chain/)).textContent).toContain('No deposit is in a block yet.')
    expect((await item('Mine a block')).getAttribute('aria-disabled')).toBeNull()
  })

  it('says once what is missing for all of a menu, and sends nothing', async () => {
    const calls = open(paymentDetail())
    const mine = await item('Mine a block')
    await userEvent.click(mine)
    const menu = screen.getByRole('menu', { name: 'Local chain', hidden: true })
    expect(document.getElementById(menu.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'No network is chosen yet.',
    )
    expect(menu.querySelectorAll('[aria-disabled=true]')).toHaveLength(3)
    expect(menu.textContent).not.toContain('No deposit')
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('takes back just the blocks the newest deposit is in', async () => {
    const payment = paymentDetail({ ...CHOSEN, transfers: [deposit({ blockNumber: 76 })] })
    const calls = open(payment, { 'POST /sandbox/chain/BASE/reorg': () => ({ height: 81 }) })
    await userEvent.click(await item('Reorganise the chain'))
    expect(await screen.findByText('Base dropped 5 blocks.')).toBeDefined()
    expect(calls.find(({ path }) => path.endsWith('/reorg'))?.body).toEqual({ depth: 5 })
  })

  it('is nowhere but in a sandbox', async () => {
    const features = { ...sandboxConfiguration.features, sandbox: false }
    const calls = open(paymentDetail(), { 'GET /configuration/default': () => ({ ...sandboxConfiguration, features }) })
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/configuration/default'))
    expect(screen.queryByRole('button', { name: 'Pay as a customer' })).toBeNull()
  })
})

describe('reorganisation', () => {
  const chains = [{ code: 'BASE', height: 200 }]

  it('goes no deeper than a local chain can', () => {
    const payment = paymentDetail({ transfers: [deposit({ blockNumber: 3 })] })
    expect(reorganisation(payment, chains)).toEqual({ code: 'BASE', depth: 64 })
  })

  it('takes the newest deposit that is still in a block', () => {
    const transfers = [deposit({ blockNumber: 198 }), deposit({ id: 32, blockNumber: 200, status: 'reverted' })]
    expect(reorganisation(paymentDetail({ transfers }), chains)).toEqual({ code: 'BASE', depth: 3 })
  })
})
