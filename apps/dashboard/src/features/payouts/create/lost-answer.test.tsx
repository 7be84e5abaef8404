import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { wireBalance, wirePayout, wireQuote, wireRecipient, wireRecipients } from '../../../testing/payout-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { NewPayout } from '../NewPayout.tsx'

const P = '/project/7'
const ONE = `${P}/admin/withdrawal`
const MANY = `${P}/admin/withdrawals`

beforeAll(() => import('../batch/PayoutList.tsx'))
beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1300
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** A server that answers requests for payouts in this order; returns the idempotency key of each. */
function serve(answers: readonly (() => unknown)[]): string[] {
  const left = [...answers]
  const keys: string[] = []
  const answer = () => (left.shift() ?? (() => wirePayout()))()
  stubServer({
    'GET /member/me': () => me('root'),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    [`GET ${P}/recipients`]: () => wireRecipients([wireRecipient()]),
    [`GET ${P}/payout-balance`]: () => [wireBalance()],
    [`POST ${P}/withdrawals/quote`]: () => wireQuote(),
    [`POST ${ONE}`]: answer,
    [`POST ${MANY}`]: answer,
  })
  const stubbed = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith(ONE) || url.endsWith(MANY)) keys.push(new Headers(init.headers).get('Idempotency-Key') ?? '')
    return stubbed(url, init)
  })
  return keys
}

const lost = () => {
  throw new TypeError('Failed to fetch')
}
const proxy = () => new Response('<h1>502</h1>', { status: 502 })
const running = () => refusal(409, 'IDEMPOTENCY_IN_PROGRESS', 'The first request is still running.')

async function fillIn(amount: string) {
  renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
  await userEvent.selectOptions(await screen.findByLabelText(/^To/), '5')
  await userEvent.type(screen.getByLabelText(/^Amount/), amount)
}

async function review(name: string) {
  await userEvent.click(await screen.findByRole('button', { name }))
  return within(await screen.findByRole('dialog', { name }))
}

const UNKNOWN = /^It is not known whether the payouts? (?:was|were) created\. .*Try again\. It is safe/

describe('payouts: a request whose answer was lost', () => {
  it('is not said to have failed, and goes out under the same key until an answer decides', async () => {
    const keys = serve([lost, running, proxy])
    await fillIn('800')
    const dialog = await review('Review payout')
    const create = dialog.getByRole('button', { name: 'Create payout' })
    for (const times of [1, 2, 3]) {
      await userEvent.click(create)
      await waitFor(() => expect(keys).toHaveLength(times))
      expect(await dialog.findByText(times === 3 ? /^It is not known/ : UNKNOWN)).toBeDefined()
      expect(dialog.queryByText(/Nothing left the wallet/)).toBeNull()
    }
    await userEvent.click(create)
    expect(await screen.findByRole('link', { name: 'Follow it' })).toBeDefined()
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(4)
  })

  it('is the same one after its dialog was closed and opened again; another one has a key of its own', async () => {
    const keys = serve([lost])
    await fillIn('801')
    const first = await review('Review payout')
    await userEvent.click(first.getByRole('button', { name: 'Create payout' }))
    await first.findByText(UNKNOWN)
    await userEvent.click(first.getByRole('button', { name: 'Back' }))
    const again = await review('Review payout')
    await userEvent.click(again.getByRole('button', { name: 'Create payout' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Another payout' }))
    await userEvent.selectOptions(await screen.findByLabelText(/^To/), '5')
    await userEvent.type(screen.getByLabelText(/^Amount/), '801')
    const other = await review('Review payout')
    await userEvent.click(other.getByRole('button', { name: 'Create payout' }))
    await screen.findByRole('link', { name: 'Follow it' })
    expect(keys).toHaveLength(3)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  it.each([
    ['a limit', () => refusal(429, 'RATE_LIMITED', 'Too many requests.')],
    ['a proof that was not given', () => refusal(403, 'STEP_UP_REQUIRED', 'Confirm that it is you.')],
  ])('is not decided by %s, which says nothing about the request before', async (_what, refused) => {
    const keys = serve([lost, refused, refused])
    await fillIn('803')
    const first = await review('Review payout')
    await userEvent.click(first.getByRole('button', { name: 'Create payout' }))
    await first.findByText(UNKNOWN)
    await userEvent.click(first.getByRole('button', { name: 'Create payout' }))
    await waitFor(() => expect(keys).toHaveLength(2))
    await userEvent.click(await first.findByRole('button', { name: 'Back' }))
    const again = await review('Review payout')
    await userEvent.click(again.getByRole('button', { name: 'Create payout' }))
    expect(await again.findByText(/^It is not known whether the payout was created\./)).toBeDefined()
    await userEvent.click(again.getByRole('button', { name: 'Create payout' }))
    await screen.findByRole('link', { name: 'Follow it' })
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
  })

  it('is another one after an hour: the same sum is then meant once more', async () => {
    const keys = serve([lost])
    await fillIn('804')
    const first = await review('Review payout')
    await userEvent.click(first.getByRole('button', { name: 'Create payout' }))
    await first.findByText(UNKNOWN)
    cleanup()
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61 * 60_000)
    await fillIn('804')
    const later = await review('Review payout')
    await userEvent.click(later.getByRole('button', { name: 'Create payout' }))
    await screen.findByRole('link', { name: 'Follow it' })
    vi.restoreAllMocks()
    expect(keys).toHaveLength(2)
    expect(keys[1]).not.toBe(keys[0])
  })

  it('says of a refusal that nothing left the wallet', async () => {
    serve([() => refusal(400, 'ADDRESS_BLOCKED', 'This address cannot be paid.')])
    await fillIn('802')
    const dialog = await review('Review payout')
    await userEvent.click(dialog.getByRole('button', { name: 'Create payout' }))
    const text = 'The payout wasn’t created. Nothing left the wallet. This address cannot be paid.'
    expect(await dialog.findByText(text)).toBeDefined()
  })

  it('is not said to have failed of a list either', async () => {
    const keys = serve([lost])
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7&tabId=csv')
    await userEvent.click(await screen.findByLabelText('Or paste the lines'))
    await userEvent.paste('recipient,currency,amount,reference\nSupplier A,USDC,5,lost-1')
    await userEvent.click(screen.getByRole('button', { name: 'Check the lines' }))
    const dialog = await review('Review payouts')
    await userEvent.click(dialog.getByRole('button', { name: 'Create 1 payout' }))
    expect(await dialog.findByText(UNKNOWN)).toBeDefined()
    expect(keys).toHaveLength(1)
  })
})
