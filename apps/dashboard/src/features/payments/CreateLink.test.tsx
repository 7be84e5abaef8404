import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, paymentPolicy, project, sandboxConfiguration } from '../../testing/answers.ts'
import {
  paymentDetail,
  paymentRow,
  reference,
  wireCreated,
  wireDetail,
  wirePage,
} from '../../testing/payment-answers.ts'
import { LiveEvent } from '../../testing/LiveEvent.tsx'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers } from '../../testing/stub-server.ts'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { CreateLink } from './CreateLink.tsx'

const CREATE = 'POST /external-platform/7/payment'
const READY = { ready: true, missing: [], chains: [], leastAmountInUSD: '0.10' }
const NO_CUSTOMERS = { members: [], totalCount: 0, nextCursor: null }
const URL = `http://localhost:8080/payments?reference_id=${reference(1)}&host=http://localhost:8080`

const BASIC: Answers = {
  'GET /member/me': () => me(),
  'GET /configuration/default': () => sandboxConfiguration,
  'GET /external-platform/7/readiness': () => READY,
  'GET /external-platform/7/members': () => NO_CUSTOMERS,
  [`GET /external-platform/7/payment/${reference(1)}`]: () => wireDetail(paymentDetail()),
}

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answers: Answers, projectId = '7', query = '') {
  const calls = stubServer({ ...BASIC, ...answers })
  const user = userEvent.setup()
  const copied: string[] = []
  vi.stubGlobal('ClipboardItem', undefined)
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text))
  const history = renderScreen(
    <>
      <CreateLink projectId={projectId} />
      <TextLink href="/project/7/payments/allPayments">All payments</TextLink>
      <LiveEvent />
    </>,
    `/project/${projectId}/payments/createPaymentLink${query}`,
  )
  const sent = () => calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/payment'))
  return { user, copied, sent, history }
}

async function fill(user: ReturnType<typeof userEvent.setup>, amount: string, email: string) {
  await user.type(await screen.findByRole('textbox', { name: 'Amount in USD' }), amount)
  await user.type(screen.getByRole('textbox', { name: 'Customer e-mail' }), email)
}

describe('CreateLink', () => {
  it('makes a link with amount, customer and Enter, copies it and waits for the payment', async () => {
    const { user, copied, sent } = open({ [CREATE]: () => wireCreated() })
    expect((await screen.findByRole('textbox', { name: 'Amount in USD' })).matches(':focus')).toBe(true)
    await fill(user, '1,249.5', 'New@Example.com{Enter}')
    expect((await screen.findByRole('link', { name: /payments\?reference_id=/ })).getAttribute('href')).toBe(URL)
    expect(sent().map(({ body }) => body)).toEqual([
      { amountInUSD: '1249.5', customerID: 'new@example.com', customerEmail: 'New@Example.com' },
    ])
    expect(await screen.findByText('Payment link Copied!')).toBeDefined()
    expect(copied).toEqual([URL])
    expect(await screen.findByText('Waiting for payment')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Copy payment link' })).toBeDefined()
  })

  it('makes a link with an amount and Enter alone where the project needs no customer', async () => {
    const { user, sent } = open({
      [CREATE]: () => wireCreated(),
      'GET /external-platform/7/payment-policy': () => ({ ...paymentPolicy, customerEmailRequired: false }),
    })
    expect(await screen.findByText('Optional: without it the link gets a new customer.')).toBeDefined()
    await user.type(screen.getByRole('textbox', { name: 'Amount in USD' }), '49{Enter}')
    expect(await screen.findByRole('button', { name: 'New link' })).toBeDefined()
    expect(sent().map(({ body }) => body)).toEqual([{ amountInUSD: '49' }])
  })

  it('brings the link into view with the focus, so that another Enter makes no second one', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
    const { user, sent } = open({ [CREATE]: () => wireCreated() })
    await fill(user, '49', 'a@example.com{Enter}')
    const result = screen.getByRole('status', { name: 'Payment link' })
    await waitFor(() => expect(result.contains(document.activeElement)).toBe(true))
    expect(scroll).toHaveBeenCalledOnce()
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('button', { name: 'Create link' }))
    expect(await screen.findByText(/This link has been created already/)).toBeDefined()
    expect(result.contains(document.activeElement)).toBe(true)
    expect(sent()).toHaveLength(1)
    scroll.mockRestore()
  })

  it('has one next step: the button of the form steps back for copying the link', async () => {
    const { user } = open({ [CREATE]: () => wireCreated() })
    const leads = (name: string) => screen.getByRole('button', { name }).className.includes('bg-accent')
    await fill(user, '49', 'a@example.com')
    expect(leads('Create link')).toBe(true)
    await user.keyboard('{Enter}')
    await screen.findByRole('button', { name: 'New link' })
    expect(['Create link', 'New link', 'Copy payment link'].map(leads)).toEqual([false, false, true])
    // Where there is no room beside it, the link stands alone.
    expect(screen.getByRole('textbox', { name: 'Amount in USD' }).closest('.max-md\\:hidden')).not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'New link' }))
    expect(leads('Create link')).toBe(true)
  })

  it('has what may be added, and what a new link would end, before the button', async () => {
    const { user } = open({
      'GET /external-platform/7/members': () => ({ ...NO_CUSTOMERS, members: [paymentDetail().customer].map(onWire) }),
      'POST /external-platform/7/payment/search': () => wirePage([paymentRow({ referenceId: reference(3) })]),
    })
    await fill(user, '49', 'a@example.com')
    const button = screen.getByRole('button', { name: 'Create link' })
    const note = await screen.findByText(/already has an open link/)
    for (const one of [note, screen.getByText('Customer, invoice, expiry')]) {
      expect(one.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
    }
    expect(note.closest('[role="status"]')?.className).toContain('warning')
  })

  it('shows what becomes of the link', async () => {
    const paid = paymentDetail({ paymentState: 'FILLED', fundingState: 'confirmed' })
    const { user } = open({
      [CREATE]: () => wireCreated({ superseded: [reference(4)] }),
      [`GET /external-platform/7/payment/${reference(1)}`]: () => wireDetail(paid),
    })
    await fill(user, '49', 'a@example.com{Enter}')
    expect(await screen.findByText('Paid')).toBeDefined()
    expect(screen.getByText('It replaced this customer’s older link …000004.')).toBeDefined()
  })

  it('says that copying failed; the link is there all the same', async () => {
    const { user } = open({ [CREATE]: () => wireCreated() })
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
    await fill(user, '49', 'a@example.com{Enter}')
    expect(await screen.findByText('Failed to copy payment link')).toBeDefined()
    expect(screen.getByRole('link', { name: /payments\?reference_id=/ })).toBeDefined()
  })

  it('names a customer the project knows, and the open link a new one would end', async () => {
    const { user, sent } = open({
      'GET /external-platform/7/members': () => ({ ...NO_CUSTOMERS, members: [paymentDetail().customer].map(onWire) }),
      'POST /external-platform/7/payment/search': () => wirePage([paymentRow({ referenceId: reference(3) })]),
      [CREATE]: () => wireCreated(),
    })
    await fill(user, '49', 'a@example.com')
    expect(await screen.findByText(/already has an open link for \$49\.00/)).toBeDefined()
    expect(screen.getByText('Your customer 1001.')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Use the open one' }).getAttribute('href')).toContain(reference(3))
    await user.click(screen.getByRole('button', { name: 'Create link' }))
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]?.body).toEqual({ amountInUSD: '49', memberID: 5, customerEmail: 'a@example.com' })
  })

  it('refuses an amount of 0 and a missing e-mail without sending anything', async () => {
    const { user, sent } = open({})
    await user.type(await screen.findByRole('textbox', { name: 'Amount in USD' }), '0{Enter}')
    expect(screen.getByText('Amount must be greater than 0')).toBeDefined()
    expect(screen.getByText('Customer e-mail is required')).toBeDefined()
    expect(screen.getByRole('textbox', { name: 'Amount in USD' }).matches(':focus')).toBe(true)
    expect(sent()).toEqual([])
  })

  it('warns of an amount that no payment method takes', async () => {
    const { user } = open({})
    await fill(user, '0.09', 'a@example.com')
    const warning = 'Nobody could pay this: no payment method here takes less than $0.10'
    expect(await screen.findByText(warning)).toBeDefined()
    await user.type(screen.getByRole('textbox', { name: 'Amount in USD' }), '{Backspace}{Backspace}10')
    await waitFor(() => expect(screen.queryByText(warning)).toBeNull())
  })

  it('puts the server’s text at its field and takes it away when the field is edited', async () => {
    const { user } = open({
      [CREATE]: () => refusal(400, 'AMOUNT_OUT_OF_RANGE', 'The amount must be between $1 and $500.'),
    })
    await fill(user, '900', 'a@example.com{Enter}')
    const amount = screen.getByRole('textbox', { name: 'Amount in USD' })
    await waitFor(() => expect(amount.getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByText('The amount must be between $1 and $500.')).toBeDefined()
    await user.type(amount, '{Backspace}')
    expect(screen.queryByText('The amount must be between $1 and $500.')).toBeNull()
  })

  it('lists what a project lacks, each with the way to correct it', async () => {
    const missing = [
      {
        kind: 'wallet',
        params: { networks: ['Base'] },
        text: 'Add a deposit wallet for Base.',
        fixPath: '/manageWallet/deposit-wallet',
      },
    ]
    const { user } = open({
      [CREATE]: () =>
        refusal(409, 'PROJECT_NOT_READY', 'This project cannot take payments yet.', { data: { missing } }),
    })
    await fill(user, '49', 'a@example.com{Enter}')
    expect(await screen.findByText(/Add a deposit wallet for Base\./)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe('/manageWallet/deposit-wallet')
  })

  it('says what a project lacks of that project alone', async () => {
    const missing = [
      {
        kind: 'wallet',
        params: { networks: ['Base'] },
        text: 'Add a deposit wallet for Base.',
        fixPath: '/manageWallet/deposit-wallet',
      },
    ]
    const { user } = open(
      {
        'GET /external-platform/all': () => [project(7, 'Acme'), project(8, 'Beta')],
        'GET /external-platform/details': () => [],
        'GET /external-platform/8/readiness': () => READY,
        'GET /external-platform/8/members': () => NO_CUSTOMERS,
        [CREATE]: () =>
          refusal(409, 'PROJECT_NOT_READY', 'This project cannot take payments yet.', { data: { missing } }),
      },
      'all',
    )
    await screen.findByRole('option', { name: 'Acme' })
    const choose = (name: string) => user.selectOptions(screen.getByRole('combobox', { name: 'Project' }), name)
    await choose('Acme')
    await fill(user, '49', 'a@example.com{Enter}')
    expect(await screen.findByText(/Add a deposit wallet for Base\./)).toBeDefined()
    await choose('Beta')
    expect(screen.queryByText(/Add a deposit wallet for Base\./)).toBeNull()
    await choose('Acme')
    expect(screen.getByText(/Add a deposit wallet for Base\./)).toBeDefined()
  })

  it('asks for the project first where the page covers all of them', async () => {
    const { user, sent } = open(
      {
        'GET /external-platform/all': () => [project(7, 'Acme'), project(8, 'Beta')],
        'GET /external-platform/details': () => [],
        [CREATE]: () => wireCreated(),
      },
      'all',
    )
    await screen.findByRole('option', { name: 'Acme' })
    await fill(user, '49', 'a@example.com{Enter}')
    expect(screen.getByText('Project is required')).toBeDefined()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Project' }), 'Acme')
    await user.click(screen.getByRole('button', { name: 'Create link' }))
    await waitFor(() => expect(sent()).toHaveLength(1))
  })
})

describe('a link that is not made yet', () => {
  const question = () => screen.queryByRole('dialog', { name: 'Leave without creating the link?' })
  const leave = (user: ReturnType<typeof userEvent.setup>) =>
    user.click(screen.getByRole('link', { name: 'All payments' }))
  const LIST = '/project/7/payments/allPayments'

  it('is not lost by a press beside it, nor by the other tab: the page asks', async () => {
    const { user, history } = open({})
    await fill(user, '49', 'a@example.com')
    await user.click(screen.getByRole('tab', { name: 'One link' }))
    expect(question()).toBeNull()
    await leave(user)
    await waitFor(() => expect(question()).not.toBeNull())
    await user.click(within(question() ?? document.body).getByRole('button', { name: 'Stay here' }))
    await user.click(screen.getByRole('tab', { name: 'Many from CSV' }))
    await waitFor(() => expect(question()).not.toBeNull())
    await user.click(within(question() ?? document.body).getByRole('button', { name: 'Stay here' }))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount in USD' }).value).toBe('49')
    await leave(user)
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(history.location.pathname).toBe(LIST))
  })

  it.each([
    ['', async () => undefined],
    ['?amount=345', async () => undefined],
    [
      '?amount=345',
      async (user: ReturnType<typeof userEvent.setup>) => {
        await user.type(screen.getByRole('textbox', { name: 'Customer e-mail' }), 'a{Backspace}')
      },
    ],
  ])('is left at once while nothing was filled in here (%#: “%s”)', async (query, type) => {
    const { user, history } = open({}, '7', query)
    await screen.findByRole('textbox', { name: 'Amount in USD' })
    await type(user)
    await leave(user)
    await waitFor(() => expect(history.location.pathname).toBe(LIST))
    expect(question()).toBeNull()
  })

  it('is left at once when it has been made, until something else is typed', async () => {
    const { user, history } = open({ [CREATE]: () => wireCreated() })
    await fill(user, '49', 'a@example.com{Enter}')
    await screen.findByRole('button', { name: 'New link' })
    await user.type(screen.getByRole('textbox', { name: 'Customer e-mail' }), 'x')
    await leave(user)
    await waitFor(() => expect(question()).not.toBeNull())
    await user.click(within(question() ?? document.body).getByRole('button', { name: 'Stay here' }))
    await user.type(screen.getByRole('textbox', { name: 'Customer e-mail' }), '{Backspace}')
    await leave(user)
    await waitFor(() => expect(history.location.pathname).toBe(LIST))
    expect(question()).toBeNull()
  })

  it('is given up without a question for the link the customer has already', async () => {
    const { user, history } = open({
      'GET /external-platform/7/members': () => ({ ...NO_CUSTOMERS, members: [paymentDetail().customer].map(onWire) }),
      'POST /external-platform/7/payment/search': () => wirePage([paymentRow({ referenceId: reference(3) })]),
    })
    await fill(user, '49', 'a@example.com')
    await user.click(await screen.findByRole('link', { name: 'Use the open one' }))
    await waitFor(() => expect(history.location.href).toBe(`${LIST}?open=${reference(3)}`))
    expect(question()).toBeNull()
  })
})

describe('a link that was refused', () => {
  const noPrice = { [CREATE]: () => refusal(503, 'RATE_UNAVAILABLE', 'No trustworthy price right now.') }
  const options = () => screen.getByText('Customer, invoice, expiry').closest('details')

  it('says above the form what no option of it could correct', async () => {
    const { user } = open(noPrice)
    await fill(user, '49', 'a@example.com{Enter}')
    expect((await screen.findByText('No trustworthy price right now.')).closest('[role=alert]')).not.toBeNull()
    expect(options()?.open).toBe(false)
  })

  it('unfolds the options for the asset that was asked for', async () => {
    const usdc = {
      id: 3,
      blockchainCode: 'BASE',
      network: 'Base',
      currencyCode: 'USDC',
      currency: 'USD Coin',
      tokenAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      standard: 'ERC-20',
      walletPrecision: 6,
      family: 'ETH_Family',
      blockchainID: 1,
      currencyID: 2,
    }
    const { user } = open({
      ...noPrice,
      'GET /external-platform/7/readiness': () => ({
        ...READY,
        chains: [{ blockchainCode: 'BASE', ready: true, lagBlocks: 0, reasons: [] }],
      }),
      'GET /currencies': () => [usdc],
    })
    await fill(user, '49', 'a@example.com')
    await user.selectOptions(await screen.findByLabelText('Network and asset'), await screen.findByText(/^USDC on/))
    await user.click(screen.getByRole('button', { name: 'Create link' }))
    await waitFor(() => expect(options()?.open).toBe(true))
    expect(screen.getByText('No trustworthy price right now.')).toBeDefined()
  })

  const lost = { [CREATE]: () => Promise.reject(new TypeError('Failed to fetch')) }

  it('no longer says that the server cannot be reached once it answers again', async () => {
    const { user } = open(lost)
    await fill(user, '49', 'a@example.com{Enter}')
    expect(await screen.findByText(/The server could not be reached\./)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Live event' }))
    await waitFor(() => expect(screen.queryByText(/could not be reached/)).toBeNull())
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount in USD' }).value).toBe('49')
  })

  it('says so no longer when the form is changed', async () => {
    const { user } = open(lost)
    await fill(user, '49', 'a@example.com{Enter}')
    expect(await screen.findByText(/The server could not be reached\./)).toBeDefined()
    await user.type(screen.getByRole('textbox', { name: 'Customer e-mail' }), 'x')
    expect(screen.queryByText(/could not be reached/)).toBeNull()
  })
})

function onWire<T extends { createdAt: Date; updatedAt: Date }>(row: T) {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() }
}
