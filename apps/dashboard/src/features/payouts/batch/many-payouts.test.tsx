import { useQueryClient } from '@tanstack/react-query'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { wireBalance, wirePayout, wireQuote, wireRecipient, wireRecipients } from '../../../testing/payout-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../../testing/stub-server.ts'
import { NewPayout } from '../NewPayout.tsx'

const P = '/project/7'
const HEAD = 'recipient,network,currency,amount,reference,note'
const ON_ETH = { id: 6, blockchainCode: 'ETH' }

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('./PayoutList.tsx'))
beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1300
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const serve = (answers: Answers = {}, recipients = [wireRecipient()]) =>
  stubServer({
    'GET /member/me': () => me('root'),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    [`GET ${P}/recipients`]: () => wireRecipients(recipients),
    [`GET ${P}/payout-balance`]: () => [wireBalance(), wireBalance({ blockchainCode: 'ETH' })],
    [`POST ${P}/withdrawals/quote`]: () => wireQuote({}, { payouts: 2, amount: '12.5' }),
    ...answers,
  })

/** The page beside what a live update does to the recipients. */
function Watched() {
  const queryClient = useQueryClient()
  const update = () => void queryClient.invalidateQueries({ queryKey: ['recipients'] })
  return (
    <>
      <button onClick={update}>update recipients</button>
      <NewPayout projectId="7" />
    </>
  )
}

/** Pastes lines below the column names. */
async function paste(...lines: readonly string[]) {
  renderScreen(<Watched />, '/withdraw/payouts/new?projectId=7')
  await userEvent.click(await screen.findByRole('button', { name: 'Many from CSV' }))
  const field = await screen.findByLabelText('Or paste the lines')
  await userEvent.click(field)
  await userEvent.paste([HEAD, ...lines].join('\n'))
  await userEvent.click(screen.getByRole('button', { name: 'Check the lines' }))
}

const GOOD = ['Supplier A,,usdc,5,salary-1,October', 'SUPPLIER@example.com,Base,USDC,"7.50",salary-2,']
const SENT = [
  { recipientID: 5, currencyCode: 'USDC', amount: '5', clientReference: 'salary-1', note: 'October' },
  { recipientID: 5, currencyCode: 'USDC', amount: '7.50', clientReference: 'salary-2' },
]

async function review() {
  await userEvent.click(await screen.findByRole('button', { name: 'Review payouts' }))
  return within(await screen.findByRole('dialog', { name: 'Review payouts' }))
}

describe('many payouts from a file', () => {
  it('are shown as understood, quoted as a sum, confirmed once, and listed with their states', async () => {
    const calls = serve({
      [`POST ${P}/admin/withdrawals`]: () => ({
        payouts: [wirePayout({ id: 12 }), wirePayout({ id: 13, clientReference: 'salary-2' })],
      }),
    })
    await paste(...GOOD)
    expect(await screen.findByText('2 approvals, not yours: for every amount')).toBeDefined()
    const dialog = await review()
    expect(dialog.getByText(/12\.5\sUSDC in 2 payouts/)).toBeDefined()
    expect(dialog.getAllByText(/5aAe b605 3F3E/)).toHaveLength(2)
    await userEvent.click(dialog.getByRole('button', { name: 'Create 2 payouts' }))
    const created = within(await screen.findByRole('list', { name: 'Requested payouts' }))
    expect(created.getAllByText('Needs approval')).toHaveLength(2)
    expect(screen.getByText('2 need approval.')).toBeDefined()
    expect(calls.filter(({ path }) => path.endsWith('/admin/withdrawals')).map(({ body }) => body)).toEqual([
      { rows: SENT },
    ])
  })

  it('are read from a file as well, with the semicolons of a spreadsheet', async () => {
    serve()
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7&tabId=csv')
    const text = '\uFEFFReference;Amount;Currency;Recipient\r\ns-1;5;USDC;Supplier A\r\n'
    const input = await screen.findByLabelText('CSV file with one payout per line')
    await userEvent.upload(input, new File([text], 'november.csv', { type: 'text/csv' }))
    expect(await screen.findByRole('button', { name: 'Review payouts' })).toBeDefined()
    expect(screen.getByText('s-1')).toBeDefined()
  })

  it.each([
    ['an unknown recipient', 'Nobody,,USDC,5,a,', 'No recipient matches “Nobody”'],
    ['a network without the recipient', 'Supplier A,SOL,USDC,5,a,', '“Supplier A” has no address on SOL'],
    [
      'an ambiguous recipient',
      'supplier a,,USDC,5,a,',
      'Several recipients match “supplier a”: enter the network, or the address',
    ],
    ['no amount', 'Supplier A,BASE,USDC,,a,', 'The amount is missing'],
    ['an amount of nothing', 'Supplier A,BASE,USDC,0.00,a,', 'Amount must be greater than 0'],
    ['a decimal comma', 'Supplier A,BASE,USDC,"1,50",a,', 'For decimals use a point, as in 1.50'],
    ['more decimals than the asset has', 'Supplier A,BASE,USDC,1.0000001,a,', 'At most 6 decimals'],
    ['a currency that is not paid out', 'Supplier A,BASE,BTC,5,a,', 'Payouts in BTC on Base are not possible'],
    ['no reference', 'Supplier A,BASE,USDC,5,,', 'The reference is missing'],
  ])('name %s, and none is requested', async (_what, line, problem) => {
    serve({}, [wireRecipient(), wireRecipient(ON_ETH)])
    await paste('Supplier A,BASE,USDC,5,good,', line)
    expect(await screen.findByText(problem)).toBeDefined()
    expect(screen.getByText('2 payouts, 1 line is wrong')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Review payouts' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('leave the way to another file in sight on a phone, and fold what cannot be pressed', async () => {
    serve()
    await paste('Nobody,BASE,USDC,5,a,')
    await screen.findByText('1 payout, 1 line is wrong')
    const isFolded = (name: string) => screen.getByRole('button', { name }).closest('[class*="max-sm:hidden"]') !== null
    expect([isFolded('Another file'), isFolded('Review payouts')]).toEqual([false, true])
  })

  it('name the second line with a reference', async () => {
    serve()
    await paste('Supplier A,,USDC,5,same,', 'Supplier A,,USDC,6,same,')
    expect(await screen.findAllByText('Another line has the reference “same”')).toHaveLength(1)
  })

  it('refuse a file without the columns, and one that is too long', async () => {
    serve()
    await paste(...Array.from({ length: 101 }, (_, at) => `Supplier A,,USDC,1,r-${at},`))
    expect(await screen.findByText(/more than 100 lines/)).toBeDefined()
    const field = screen.getByLabelText('Or paste the lines')
    await userEvent.clear(field)
    await userEvent.click(field)
    await userEvent.paste('amount\n5')
    await userEvent.click(screen.getByRole('button', { name: 'Check the lines' }))
    expect(await screen.findByText(/Missing: recipient, currency, reference\./)).toBeDefined()
  })

  it('say because of which line none was created, and stay on the screen', async () => {
    serve({
      [`POST ${P}/admin/withdrawals`]: () =>
        refusal(409, 'CLIENT_REFERENCE_EXISTS', 'A payout has this reference.', { data: { row: 1, id: 9 } }),
    })
    await paste(...GOOD)
    const dialog = await review()
    await userEvent.click(dialog.getByRole('button', { name: 'Create 2 payouts' }))
    const why = 'No payout was created. Line 3, salary-2: A payout has this reference.'
    expect(await dialog.findByText(why)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('button', { name: 'Review payouts' })).toBeDefined()
  })

  it('are those that were reviewed, whatever becomes of a recipient meanwhile', async () => {
    let recipients = [wireRecipient()]
    const calls = serve({
      [`GET ${P}/recipients`]: () => wireRecipients(recipients),
      [`POST ${P}/admin/withdrawals`]: () => ({ payouts: [wirePayout({ id: 12 })] }),
    })
    await paste(GOOD[0] ?? '')
    const dialog = await review()
    recipients = [wireRecipient({ name: 'Former supplier', email: 'former@example.com' })]
    const asked = calls.filter(({ path }) => path === `${P}/recipients`).length
    await userEvent.click(screen.getByText('update recipients'))
    await waitFor(() => expect(calls.filter(({ path }) => path === `${P}/recipients`).length).toBeGreaterThan(asked))
    await screen.findByText('1 payout, 1 line is wrong')
    expect(dialog.getByText(/5aAe b605 3F3E/)).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Create 1 payout' }))
    await screen.findByRole('list', { name: 'Requested payouts' })
    expect(calls.filter(({ path }) => path.endsWith('/admin/withdrawals')).map(({ body }) => body)).toEqual([
      { rows: SENT.slice(0, 1) },
    ])
  })
})
