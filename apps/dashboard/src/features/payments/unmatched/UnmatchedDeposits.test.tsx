import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import { Deposit as DepositShape } from '@kassa/contract/deposits/schemas.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { encode } from 'zod/mini'

import { AT, me } from '../../../testing/answers.ts'
import {
  deposit,
  isCount,
  paymentDetail,
  paymentRow,
  reference,
  wireDetail,
  wirePage,
} from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers } from '../../../testing/stub-server.ts'
import { AllPayments } from '../AllPayments.tsx'

const unapplied = deposit({ id: 40, status: 'unapplied', reason: 'late', referenceID: null })

const wireCustomer = {
  id: 5,
  createdAt: AT,
  updatedAt: AT,
  name: '',
  email: 'a@example.com',
  customer_id: '1001',
  level: 0,
  group: '',
  state: 'active',
  username: null,
  memberType: 'customer',
  resetPasswordRequired: false,
  memberExternalPlatformRoles: [],
  addresses: [],
  paymentCount: 2,
  paidInUSD: '49.00',
  unapplied: [],
}

const open = paymentRow({ referenceId: reference(2), currency: 'USDC', network: 'BASE' })
const far = paymentRow({
  referenceId: reference(3),
  currency: 'USDC',
  network: 'BASE',
  exact: { amountInUSD: '900.00', amountDueInUSD: '900.00' },
})
const undecided = paymentRow({ referenceId: reference(4) })

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('./UnmatchedDeposits.tsx'))
beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function page(deposits: readonly Deposit[]) {
  const data = deposits.map((one) => encode(DepositShape, one))
  return { data, total: data.length, limit: 50, offset: 0, nextCursor: null }
}

function show(deposits: readonly Deposit[], { answers = {}, role = 'root' } = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /external-platform/7/missed-deposit': () => page(deposits),
    'GET /external-platform/7/unlisted-transfer': () => ({ ...page([]), data: [] }),
    'GET /external-platform/7/members/5': () => wireCustomer,
    'POST /external-platform/7/payment/search': () => wirePage([far, open, undecided]),
    ...(answers as Answers),
  })
  renderScreen(
    <AllPayments projectId="7" onListed={() => undefined} />,
    '/project/7/payments/allPayments?view=unmatched',
  )
  return { sent: (end: string) => calls.filter(({ method, path }) => method === 'POST' && path.endsWith(end)) }
}

describe('unmatched money', () => {
  it('says how much of whom waits and why', async () => {
    show([unapplied])
    const table = await screen.findByRole('table', { name: 'Unmatched deposits' })
    const row = await within(table).findByRole('row', { name: /49\sUSDC \(\$49\.00\).*Unmatched/ })
    expect(row.textContent).toContain('Arrived after the payment had ended.')
    expect(await within(row).findByText('a@example.com')).toBeDefined()
    const views = screen.getByRole('navigation', { name: 'Views' })
    expect(within(views).getByRole('link', { current: 'page' }).textContent).toBe('Unmatched1')
  })

  it('lists what came in tokens that are not listed beside it, uncounted', async () => {
    const notice = {
      id: 9,
      contract: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
      symbol: 'DAI',
      isLookAlike: false,
      amount: '12.5',
      blockchainCode: 'BASE',
      txHash: `0x${'ab'.repeat(32)}`,
      toAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      minedAt: AT,
      memberID: 5,
      externalPlatformID: 7,
    }
    const fake = { ...notice, id: 8, symbol: null, isLookAlike: true, amount: '500' }
    show([unapplied], {
      answers: {
        'GET /external-platform/7/unlisted-transfer': () => ({ ...page([]), data: [notice, fake], total: 2 }),
      },
    })
    const table = await screen.findByRole('table', { name: 'Tokens that are not listed' })
    const row = await within(table).findByRole('row', { name: /12\.5\sDAI/ })
    expect(await within(row).findByText('a@example.com')).toBeDefined()
    expect(within(table).getByRole('row', { name: /A token that imitates a listed currency/ }).textContent).not.toMatch(
      /USDC|500/,
    )
    const views = screen.getByRole('navigation', { name: 'Views' })
    expect(within(views).getByRole('link', { current: 'page' }).textContent).toBe('Unmatched1')
  })

  it('is assigned to the likeliest payment of the same customer', async () => {
    const { sent } = show([unapplied], {
      answers: {
        'POST /deposits/40/assign': () => ({
          deposit: page([unapplied]).data[0],
          payment: wireDetail(paymentDetail()),
        }),
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Assign…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Assign to a payment' })
    const choices = await within(dialog).findAllByRole('radio')
    expect(choices.map((choice) => choice.getAttribute('value'))).toEqual([reference(2), reference(3)])
    expect(dialog.textContent).toContain('1 payment waits for the customer to pick a currency')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }))
    expect(within(dialog).getByText('Choose a payment')).toBeDefined()
    await userEvent.click(within(dialog).getByRole('radio', { name: /^\$49\.00 · Open · USDC on Base/ }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }))
    expect(await screen.findByText('The money counts for that payment.')).toBeDefined()
    expect(sent('/assign').map(({ body }) => body)).toEqual([{ referenceID: reference(2) }])
    expect(sent('/search').find((call) => !isCount(call))?.body).toEqual({
      customerID: '1001',
      paymentStatus: ['OPEN', 'PARTIALLY_FILLED', 'CANCELLED'],
    })
  })

  it('gives the focus back, or to the heading when the row was removed', async () => {
    const rows = [unapplied]
    show(rows, {
      answers: {
        'GET /external-platform/7/missed-deposit': () => page(rows),
        'POST /deposits/40/assign': () => {
          rows.pop()
          return { deposit: page([unapplied]).data[0], payment: wireDetail(paymentDetail()) }
        },
      },
    })
    const press = await screen.findByRole('button', { name: 'Assign…' })
    await userEvent.click(press)
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(document.activeElement).toBe(press)
    await userEvent.click(press)
    const dialog = await screen.findByRole('dialog', { name: 'Assign to a payment' })
    await userEvent.click(await within(dialog).findByRole('radio', { name: /^\$49\.00/ }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }))
    expect(await screen.findByText('No unmatched deposits')).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  })

  it('releases a deposit from hold to the payment it came for, with a note', async () => {
    const held = deposit({ id: 41, status: 'quarantined', reason: 'AMOUNT_MISMATCH', referenceID: reference(1) })
    const resolve = `POST /external-platform/7/payment/${reference(1)}/resolve`
    const { sent } = show([held], { answers: { [resolve]: () => wireDetail(paymentDetail()) } })
    await userEvent.click(await screen.findByRole('button', { name: 'Release…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Release from hold' })
    const own = await within(dialog).findByRole<HTMLInputElement>('radio', { name: /^The payment it came for/ })
    expect(own.checked).toBe(true)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Release' }))
    expect(within(dialog).getByText('Note is required')).toBeDefined()
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'Checked twice')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Release' }))
    await waitFor(() =>
      expect(sent('/resolve')[0]?.body).toEqual({
        action: 'release_quarantine',
        depositID: 41,
        note: 'Checked twice',
      }),
    )
  })

  it('says what to do when it cannot be assigned', async () => {
    const details = 'This money counts for a payment. Unassign it there first.'
    show([unapplied], {
      answers: {
        'POST /deposits/40/assign': () =>
          refusal(409, 'DEPOSIT_NOT_UNAPPLIED', 'This deposit already belongs to a payment.', { details }),
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Assign…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Assign to a payment' })
    await userEvent.click(await within(dialog).findByRole('radio', { name: /^\$49\.00/ }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Assign' }))
    expect(await within(dialog).findByText(details)).toBeDefined()
  })

  it('cannot be pressed while there is no payment to choose, and says why', async () => {
    show([unapplied], { answers: { 'POST /external-platform/7/payment/search': () => wirePage([]) } })
    await userEvent.click(await screen.findByRole('button', { name: 'Assign…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Assign to a payment' })
    expect(await within(dialog).findByText(/no open payment that can take it/)).toBeDefined()
    const assign = within(dialog).getByRole('button', { name: 'Assign' })
    expect([assign.getAttribute('aria-disabled'), assign.title]).toEqual([
      'true',
      'There is no payment that can take it.',
    ])
  })

  it('lists without a press for those who may only read', async () => {
    show([unapplied], { role: 'auditor' })
    expect(await screen.findByText(/Assigning needs payment:resolve/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Assign…' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Find a transaction' })).toBeNull()
  })

  it('says that nothing waits', async () => {
    show([])
    expect(await screen.findByText('No unmatched deposits')).toBeDefined()
  })

  it('offers another try when the list cannot be loaded', async () => {
    show([], {
      answers: {
        'GET /external-platform/7/missed-deposit': () => refusal(500, 'INTERNAL_ERROR', 'Something broke on our side.'),
      },
    })
    expect(await screen.findByText('Unmatched deposits couldn’t be loaded')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
  })
})
