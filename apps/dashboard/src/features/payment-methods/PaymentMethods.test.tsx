import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { PaymentMethods } from './PaymentMethods.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

type Row = {
  id: number
  chain: string
  currency: string
  accepted: boolean
  reason?: string
  unmet?: readonly string[]
  off?: true
}

const USDC = { id: 21, chain: 'BASE', currency: 'USDC', accepted: true } as const
const ETH = { id: 1, chain: 'ETH', currency: 'ETH', accepted: true } as const
const POL = {
  id: 31,
  chain: 'POLYGON',
  currency: 'POL',
  accepted: true,
  reason: 'Add a node.',
  unmet: ['wallet-deployed', 'unverified'],
} as const
const USDT = {
  id: 22,
  chain: 'ETH',
  currency: 'USDT',
  accepted: false,
  reason: 'It is switched off for the whole install.',
  unmet: ['token-accepted'],
  off: true,
} as const

const CODES: Readonly<Record<string, string>> = {
  'Add a node.': 'no_node',
  'It is switched off for the whole install.': 'asset_switched_off',
  'No deposit wallet is linked.': 'no_wallet',
}

const asset = ({ id, chain, currency, accepted, reason }: Row) => ({
  id,
  blockchainID: 4,
  blockchainCode: chain,
  currencyID: 2,
  currencyCode: currency,
  accepted,
  ready: reason === undefined,
  reason: reason ?? null,
  cause: reason === undefined ? null : { code: CODES[reason], params: {}, text: '' },
})
const option = ({ chain, currency, accepted, unmet = [], off }: Row) => ({
  optionKey: `${chain}:${currency}`,
  enabled: accepted,
  globallyEnabled: off !== true,
  originBlockchainCode: chain,
  originNative: true,
  unmet: unmet.map((kind) => ({ kind, chain })),
})

/** A server on which project 7 accepts what the rows say, and project 8 nothing but Ether. */
function show(
  rows: readonly Row[] = [ETH, USDC, POL, USDT],
  { role = 'root', answers = {} }: { role?: string; answers?: Answers } = {},
) {
  let stored = rows
  const other = rows.map((row) => ({ ...row, accepted: row.id === ETH.id }))
  const list = (of: () => readonly Row[]) => () => of().map(asset)
  const options = (of: () => readonly Row[]) => () => ({ mainnet: false, options: of().map(option) })
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /wallets': () => [],
    'GET /blockchain-currency': () => [],
    'GET /external-platform/all': () => [
      project(7, 'Acme'),
      project(8, 'Bolt', { defaultPaymentBlockchainCurrencyID: 1 }),
    ],
    'GET /external-platform/details': () => [],
    'GET /project/7/blockchain-currency': list(() => stored),
    'GET /project/7/payment-options': options(() => stored),
    'GET /project/8/blockchain-currency': list(() => other),
    'GET /project/8/payment-options': options(() => other),
    ...Object.fromEntries(
      rows.map((row) => {
        const { optionKey } = option(row)
        return [
          `PATCH /project/7/payment-options/${encodeURIComponent(optionKey)}`,
          ({ body }: { body: unknown }) => {
            const { enabled } = body as { enabled: boolean }
            stored = stored.map((one) => (one.id === row.id ? { ...one, accepted: enabled } : one))
            return option({ ...row, accepted: enabled })
          },
        ]
      }),
    ),
    ...answers,
  })
  renderScreen(<PaymentMethods />, '/settings/payment-methods')
  return () => calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }))
}

const toggle = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name })

describe('PaymentMethods', () => {
  it('shows what each project accepts, and switches one at a press', async () => {
    const sent = show()
    expect(await screen.findByRole('table', { name: 'Payment methods' })).toBeDefined()
    expect((await toggle('USDC on Base for Acme')).checked).toBe(true)
    expect((await toggle('USDC on Base for Bolt')).checked).toBe(false)
    await userEvent.click(await toggle('USDC on Base for Acme'))
    expect(await screen.findByText('Acme no longer accepts USDC on Base')).toBeDefined()
    await waitFor(async () => expect((await toggle('USDC on Base for Acme')).checked).toBe(false))
    await userEvent.click(await toggle('USDC on Base for Acme'))
    expect(await screen.findByText('Acme accepts USDC on Base')).toBeDefined()
    expect(sent().map(({ method, body }) => ({ method, body }))).toEqual([
      { method: 'PATCH', body: { enabled: false } },
      { method: 'PATCH', body: { enabled: true } },
    ])
    expect(decodeURIComponent(sent()[0]?.path ?? '')).toBe('/project/7/payment-options/BASE:USDC')
  })

  it('asks before the last one of a project is turned off', async () => {
    const sent = show([USDC])
    await userEvent.click(await toggle('USDC on Base for Acme'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Turn off USDC on Base?' }))
    expect(dialog.getByText(/^It is the last one: Acme couldn’t be paid/)).toBeDefined()
    expect(sent()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect((await toggle('USDC on Base for Acme')).checked).toBe(true)
    await userEvent.click(await toggle('USDC on Base for Acme'))
    await userEvent.click(await screen.findByRole('button', { name: 'Turn off' }))
    expect(await screen.findByText('Acme no longer accepts USDC on Base')).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('names the obstacle, and links to it', async () => {
    show([ETH, POL, { ...USDC, reason: 'No deposit wallet is linked.', unmet: ['wallet-deployed'] }])
    const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    await toggle('POL on Polygon for Acme')
    expect(link('Add a node.')).toBe('/settings/blockchains/POLYGON')
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows.at(-1)).toContain('POL on Polygon')
    expect(link('No deposit wallet is linked.')).toBe('/manageWallet/deposit-wallet')
    // What is accepted without effect is grey.
    expect(screen.getByText('POL on Polygon').className).toContain('text-muted')
    const isGreen = async (name: string) => (await toggle(name)).className.includes('checked:bg-accent')
    expect(await isGreen('ETH on Ethereum for Acme')).toBe(true)
    expect([await isGreen('POL on Polygon for Acme'), await isGreen('USDC on Base for Acme')]).toEqual([false, false])
    expect(await screen.findByText(/^Set up a deposit wallet first/)).toBeDefined()
  })

  it.each([true, false])(
    'is grey where it is off for the whole install, accepted or not (%s), and says so',
    async (accepted) => {
      show([ETH, { ...USDT, accepted }])
      const off = await toggle('USDT on Ethereum for Acme')
      expect([off.checked, off.disabled]).toEqual([false, true])
      expect(screen.getByRole('link', { name: 'It is switched off for the whole install.' })).toBeDefined()
      expect(screen.getByText('USDT on Ethereum').className).toContain('text-muted')
      expect(screen.queryByRole('button', { name: 'Offer USDT on Ethereum first for Acme' })).toBeNull()
      // Turning off the one that is left leaves nothing.
      await userEvent.click(await toggle('ETH on Ethereum for Acme'))
      expect(await screen.findByRole('dialog', { name: 'Turn off ETH on Ethereum?' })).toBeDefined()
    },
  )

  it('is not called on where it is off for the whole install, to those who only read', async () => {
    show([{ ...USDT, accepted: true }], { role: 'auditor' })
    expect((await screen.findAllByText('Off')).length).toBeGreaterThan(0)
    expect(screen.queryByText('On')).toBeNull()
  })

  it('chooses what is offered first, and nothing', async () => {
    const sent = show(undefined, {
      answers: {
        'PUT /external-platform/7': () => project(7, 'Acme', { defaultPaymentBlockchainCurrencyID: 21 }),
        'PUT /external-platform/8': () => project(8, 'Bolt'),
      },
    })
    const star = (name: string) => screen.findByRole('button', { name })
    await userEvent.click(await star('Offer USDC on Base first for Acme'))
    expect(await screen.findByText('Acme offers USDC on Base first')).toBeDefined()
    expect((await star('Offer ETH on Ethereum first for Bolt')).getAttribute('aria-pressed')).toBe('true')
    await userEvent.click(await star('Offer ETH on Ethereum first for Bolt'))
    expect(await screen.findByText('Bolt offers nothing first')).toBeDefined()
    expect(sent().map(({ body }) => body)).toEqual([
      { defaultPaymentBlockchainID: 4, defaultPaymentBlockchainCurrencyID: 21 },
      { defaultPaymentBlockchainID: null, defaultPaymentBlockchainCurrencyID: null },
    ])
  })

  it('goes back to what is stored when the server refuses', async () => {
    show(undefined, {
      answers: {
        'PATCH /project/7/payment-options/BASE%3AUSDC': () => refusal(409, 'ASSET_DISABLED', 'It is switched off.'),
      },
    })
    await userEvent.click(await toggle('USDC on Base for Acme'))
    expect(await screen.findByText('It is switched off.')).toBeDefined()
    expect((await toggle('USDC on Base for Acme')).checked).toBe(true)
  })

  it('is only read by those who may not change projects', async () => {
    show(undefined, { role: 'auditor' })
    expect((await screen.findAllByText('On')).length).toBeGreaterThan(0)
    expect(screen.queryByRole('switch')).toBeNull()
  })

  it('shows one of many projects at a time', async () => {
    const many = [7, 8, 9, 10, 11].map((id) => project(id, id === 7 ? 'Acme' : id === 8 ? 'Bolt' : `Shop ${id}`))
    show(undefined, { answers: { 'GET /external-platform/all': () => many } })
    await toggle('USDC on Base for Acme')
    expect(screen.queryByRole('switch', { name: 'USDC on Base for Bolt' })).toBeNull()
    await userEvent.selectOptions(screen.getByLabelText('Project'), 'Bolt')
    expect(await toggle('USDC on Base for Bolt')).toBeDefined()
  })

  it('says what is missing without a project, and fails with its reason', async () => {
    let isDown = true
    show(undefined, {
      answers: {
        'GET /external-platform/all': () =>
          isDown ? refusal(503, 'SERVICE_UNAVAILABLE', 'Try again in a moment.') : [],
      },
    })
    expect(await screen.findByText('Payment methods couldn’t be loaded')).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No project yet')).toBeDefined()
  })
})
