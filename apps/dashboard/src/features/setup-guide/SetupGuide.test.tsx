import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, project, sandboxConfiguration } from '../../testing/answers.ts'
import { reference, wireCreated } from '../../testing/payment-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers } from '../../testing/stub-server.ts'
import { FirstProject } from './FirstProject.tsx'
import { SetupGuide } from './SetupGuide.tsx'
import { useGuide } from './useGuide.ts'

const CREATE = 'POST /external-platform/7/payment'
const NONE = { totalCount: 0, closedCount: 0, openCount: 0, cancelledCount: 0 }
const CHAINS = [{ blockchainCode: 'BASE', ready: true, lagBlocks: 0, reasons: [] }]

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Guided() {
  const guide = useGuide('7')
  return (
    <>
      {guide.isOpen && <SetupGuide projectId="7" progress={guide.progress} onHide={guide.hide} />}
      {guide.isHidden && <button onClick={guide.show}>Show</button>}
    </>
  )
}

function open(answers: Answers = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/7/readiness': () => ({
      ready: true,
      missing: [],
      chains: CHAINS,
      leastAmountInUSD: '0.10',
    }),
    'GET /wallets': () => [],
    'GET /external-platform/7/api-key': () => [],
    'GET /external-platform/7/webhook': () => [],
    'GET /external-platform/7/payment/summary': () => NONE,
    ...answers,
  })
  const history = renderScreen(<Guided />, '/project/7/dashboard')
  return { calls, history }
}

describe('SetupGuide', () => {
  it('shows what is done and makes a test payment, whose story it opens', async () => {
    const { calls, history } = open({ [CREATE]: () => wireCreated() })
    expect(await screen.findByText('3 of 8 done')).toBeDefined()
    const guide = screen.getByRole('region', { name: 'Setup guide' })
    await userEvent.click(within(guide).getByRole('button', { name: 'Make a test payment' }))
    await waitFor(() => expect(history.location.search).toBe(`?open=${reference(1)}`))
    const { body } = calls.find(({ method, path }) => `${method} ${path}` === CREATE) ?? {}
    expect(body).toMatchObject({
      amountInUSD: '10',
      customerID: expect.stringMatching(/^test-[0-9a-f]{8}$/),
      customerEmail: expect.stringMatching(/^test-[0-9a-f]{8}@example\.com$/),
    })
  })

  it.each([true, false])('counts as many steps before there is a project, sandbox %s', async (sandbox) => {
    const features = { ...sandboxConfiguration.features, sandbox }
    const answers = {
      'GET /configuration/default': () => ({ ...sandboxConfiguration, features }),
      'GET /external-platform/all': () => [project(7, 'Acme')],
      'GET /external-platform/details': () => [],
    }
    open(answers)
    const [, all] = /^\d+ of (\d+) done$/.exec((await screen.findByText(/^\d+ of \d+ done$/)).textContent ?? '') ?? []
    cleanup()
    stubServer({ 'GET /member/me': () => me(), ...answers })
    renderScreen(<FirstProject onAdd={undefined} />, '/project/all/dashboard')
    expect(await screen.findByText(`0 of ${all} done`)).toBeDefined()
  })

  it('says what keeps a test payment from being made', async () => {
    open({ [CREATE]: () => refusal(503, 'RATE_UNAVAILABLE', 'No trustworthy price right now. Try again shortly.') })
    await userEvent.click(await screen.findByRole('button', { name: 'Make a test payment' }))
    expect(
      (await screen.findAllByRole('alert')).some(({ textContent }) => /No trustworthy price/.test(textContent)),
    ).toBe(true)
  })

  it('sends nothing while the project cannot take payments', async () => {
    const missing = [
      {
        kind: 'wallet',
        params: { networks: ['Base'] },
        text: 'Add a deposit wallet.',
        fixPath: '/manageWallet/deposit-wallet',
      },
    ]
    const { calls } = open({
      'GET /external-platform/7/readiness': () => ({ ready: false, missing, chains: CHAINS, leastAmountInUSD: null }),
    })
    const button = await screen.findByRole('button', { name: 'Make a test payment' })
    expect(button.getAttribute('title')).toBe('Not yet: Add a deposit wallet for Base.')
    await userEvent.click(button)
    expect(calls.some(({ method, path }) => `${method} ${path}` === CREATE)).toBe(false)
    expect(screen.getByRole('link', { name: 'Add a deposit wallet' }).getAttribute('href')).toBe(
      '/manageWallet/deposit-wallet',
    )
  })

  it('can be hidden on this device and brought back', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Hide for now' }))
    expect(screen.queryByRole('region', { name: 'Setup guide' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show' }))
    expect(await screen.findByRole('region', { name: 'Setup guide' })).toBeDefined()
  })

  it('is one line once everything is done, and closes for good', async () => {
    const linked = [
      { name: 'Main', status: 'active', externalPlatformWallets: [{ externalPlatformID: 7 }], walletxpubs: [] },
    ]
    const secondFactor = {
      enrolled: true,
      methods: ['totp'],
      satisfied: true,
      setupRequired: false,
      requiredForMoney: false,
    }
    open({
      'GET /member/me': () => ({ ...me(), secondFactor }),
      'GET /wallets': () => linked,
      'GET /external-platform/7/api-key': () => [{ status: 'active' }],
      'GET /external-platform/7/webhook': () => [{ status: 'active' }],
      'GET /external-platform/7/payment/summary': () => ({ ...NONE, totalCount: 1, closedCount: 1 }),
    })
    expect(await screen.findByText('Setup guide: everything is done. You’re ready.')).toBeDefined()
    const line = within(screen.getByRole('region', { name: 'Setup guide' }))
    expect(screen.queryByRole('listitem')).toBeNull()
    await userEvent.click(line.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('region', { name: 'Setup guide' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Show' })).toBeNull()
  })

  it('is left out when its facts cannot be read', async () => {
    open({ 'GET /external-platform/7/readiness': () => refusal(500, 'INTERNAL_ERROR', 'Something broke on our side.') })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Setup guide' })).toBeNull())
  })
})
