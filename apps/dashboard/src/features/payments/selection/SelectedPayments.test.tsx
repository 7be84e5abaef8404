import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { paymentDetail, paymentRow, reference, wireDetail, wirePage } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../../testing/stub-server.ts'
import { AllPayments } from '../AllPayments.tsx'

const PAYMENT = '/external-platform/7/payment'
const NO_DEPOSITS = { data: [], total: 0, limit: 50, offset: 0, nextCursor: null }

const row = (digit: number, more: Partial<PaymentRow> = {}) =>
  paymentRow({ id: digit, referenceId: reference(digit), email: `${digit}@example.com`, ...more })

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1200
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

type Asked = { readonly limit?: number; readonly cursor?: string; readonly paymentStatus?: readonly string[] }
const askedOf = ({ body }: SentCall) => body as Asked

/** A list of two pages; read as a whole it comes in two pages as well. */
function open({ answers = {}, query = '', total = 4 }: { answers?: Answers; query?: string; total?: number } = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    [`GET ${PAYMENT}/summary`]: () => ({ totalCount: total, closedCount: 0, openCount: total, cancelledCount: 0 }),
    [`POST ${PAYMENT}/search`]: (call) => {
      const isSecond = askedOf(call).cursor === 'second'
      const rows = isSecond ? [row(3), row(4, { paymentStatus: 'FILLED' })] : [row(1), row(2)]
      return wirePage(rows, { totalCount: total, nextCursor: isSecond ? null : 'second' })
    },
    'GET /project/7/deposits': () => NO_DEPOSITS,
    'GET /external-platform/7/missed-deposit': () => NO_DEPOSITS,
    ...answers,
  })
  renderScreen(<AllPayments projectId="7" onListed={() => undefined} />, `/project/7/payments/allPayments${query}`)
  const gathered = () => calls.filter((call) => call.path.endsWith('/search') && askedOf(call).limit === 500)
  return { calls, gathered }
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const bar = () => within(screen.getByRole('region', { name: 'Selected rows' }))

async function pickWhole(total = '4') {
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all 2 on this page' }))
  await press(`Select all ${total} that match`)
}

/** The first three can be cancelled. */
const cancelled = (): Answers =>
  Object.fromEntries(
    [1, 2, 3].map((digit) => [
      `POST ${PAYMENT}/${reference(digit)}/cancel`,
      () => wireDetail(paymentDetail({ referenceID: reference(digit) })),
    ]),
  )

describe('all payments that match', () => {
  it('are picked after those of the page, and let go one by one', async () => {
    open()
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Select payment.*0001$/ }))
    expect(screen.queryByRole('button', { name: /that match$/ })).toBeNull()
    await pickWhole()
    expect(bar().getByRole('status').textContent).toBe('All 4 that match are selected')
    await userEvent.click(screen.getByRole('checkbox', { name: /^Select payment.*0001$/ }))
    expect(bar().getByRole('status').textContent).toBe('1 selected')
  })

  it('are read page after page, and those that are open cancelled', async () => {
    const { calls, gathered } = open({ answers: cancelled(), query: '?amount=10..' })
    await pickWhole()
    await press('Cancel open')
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel open links' }))
    expect(await dialog.findByText('3 links can no longer be paid.')).toBeDefined()
    expect(dialog.getByText('What else matches is left out: ended already, or money was seen.')).toBeDefined()
    const wanted = { amountMin: '10', paymentStatus: ['OPEN'], limit: 500 }
    expect(gathered().map(askedOf)).toEqual([
      expect.objectContaining(wanted),
      expect.objectContaining({ ...wanted, cursor: 'second' }),
    ])
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel 3 links' }))
    expect(await dialog.findByText('3 done')).toBeDefined()
    expect(calls.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(3)
  })

  it('are cancelled once where one of them moved to a later page while they were read', async () => {
    const search = (call: SentCall) => {
      const isSecond = askedOf(call).cursor === 'second'
      const rows = isSecond ? [row(2), row(3)] : [row(1), row(2)]
      return wirePage(rows, { totalCount: 3, nextCursor: isSecond ? null : 'second' })
    }
    const { calls } = open({ answers: { [`POST ${PAYMENT}/search`]: search, ...cancelled() }, total: 3 })
    await pickWhole('3')
    await press('Cancel open')
    await press('Cancel 3 links')
    expect(await screen.findByText('3 done')).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Go on/ })).toBeNull()
    expect(calls.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(3)
  })

  it('are not refused because the server starts anew: the run stops, and goes on with the same keys', async () => {
    let isDown = true
    const second = `POST ${PAYMENT}/${reference(2)}/cancel`
    const answers = cancelled()
    open({
      answers: {
        ...answers,
        [second]: (call) =>
          isDown ? refusal(503, 'SERVICE_UNAVAILABLE', 'Back in a minute.') : answers[second]?.(call),
      },
    })
    const fetched = vi.spyOn(globalThis, 'fetch')
    await pickWhole()
    await press('Cancel open')
    await press('Cancel 3 links')
    expect(await screen.findByText('Back in a minute.')).toBeDefined()
    expect(screen.getByText('Stopped: 1 done of 3')).toBeDefined()
    isDown = false
    await press('Go on with 2')
    expect(await screen.findByText('3 done')).toBeDefined()
    const keys = fetched.mock.calls.flatMap(([url, init]) =>
      typeof url === 'string' && url.endsWith(`${reference(2)}/cancel`)
        ? [new Headers(init?.headers).get('Idempotency-Key')]
        : [],
    )
    expect(keys).toEqual([expect.any(String), keys[0]])
  })

  it('say that they cannot be read, and are tried again', async () => {
    let isDown = true
    const search = (call: SentCall) =>
      isDown && askedOf(call).limit === 500
        ? refusal(503, 'SERVICE_UNAVAILABLE', 'Back in a minute.')
        : wirePage([row(1), row(2)], { totalCount: 4, nextCursor: null })
    open({ answers: { [`POST ${PAYMENT}/search`]: search } })
    await pickWhole()
    await press('Resend webhooks')
    const dialog = within(screen.getByRole('dialog', { name: 'Resend webhooks' }))
    expect(await dialog.findByText('Back in a minute.')).toBeDefined()
    isDown = false
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: 'Resend 2' })).toBeDefined()
  })

  it('are saved as the server writes them, in the columns of the table', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:whole')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    open({ answers: { [`GET ${PAYMENT}/export`]: () => new Response('amountInUSD\r\n') }, query: '?status=OPEN' })
    const fetched = vi.spyOn(globalThis, 'fetch')
    await pickWhole()
    await userEvent.click(bar().getByRole('button', { name: 'Export' }))
    expect(await screen.findByText('The export is saved.')).toBeDefined()
    const urls = fetched.mock.calls.map(([url]) => (typeof url === 'string' ? url : ''))
    const { searchParams } = new URL(urls.find((url) => url.includes('/export')) ?? '')
    expect(searchParams.getAll('paymentStatus')).toEqual(['OPEN'])
    expect(searchParams.getAll('columns').slice(0, 2)).toEqual(['amountInUSD', 'paymentStatus'])
  })

  it('say how many of very many one run takes, and take no more', async () => {
    const pages = wirePages(500)
    const search = (call: SentCall) =>
      askedOf(call).limit === 500
        ? pages(call)
        : wirePage([row(1), row(2)], { totalCount: 12_408, nextCursor: 'second' })
    const { gathered } = open({ answers: { [`POST ${PAYMENT}/search`]: search }, total: 12_408 })
    await pickWhole('12,408')
    expect(bar().getByText('Resending, settling and cancelling take at most 10,000 at once.')).toBeDefined()
    await press('Cancel open')
    const text = '10,000 links can no longer be paid.'
    expect(await screen.findByText(text, {}, { timeout: 10_000 })).toBeDefined()
    expect(screen.getByText(/^Only the first 10,000 are taken at once/)).toBeDefined()
    expect(gathered()).toHaveLength(20)
  })
})

/** A list without end, in pages of so many rows; built once, since a schema takes its time over thousands. */
function wirePages(size: number): (call: SentCall) => unknown {
  const page = wirePage(Array.from({ length: size }, (_, at) => row(1, { id: at + 1 }))) as { data: object[] }
  return (call) => {
    const at = Number(askedOf(call).cursor ?? 0)
    const name = (index: number) => `0192a7de-0000-7000-8000-${String(at * size + index).padStart(12, '0')}`
    const data = page.data.map((one, index) => ({ ...one, referenceId: name(index) }))
    return { ...page, data, totalCount: 12_408, nextCursor: String(at + 1) }
  }
}

describe('payments of a project the operator may only look at', () => {
  it('cannot be cancelled or resent, and the buttons say why', async () => {
    const permissions = { install: [], projects: { 7: ['payment:read', 'payment:cancel', 'webhook:resend'] } }
    const rows = [row(1, { externalPlatformID: 8 }), row(2)]
    open({
      answers: {
        'GET /member/me': () => ({ ...me(), permissions }),
        [`POST ${PAYMENT}/search`]: () => wirePage(rows),
      },
    })
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Select payment.*0001$/ }))
    const button = (name: string) => bar().getByRole<HTMLButtonElement>('button', { name })
    expect(button('Cancel open').getAttribute('aria-disabled')).toBe('true')
    expect(button('Cancel open').title).toBe('1 open link is left out: you may not cancel links of its project.')
    expect(button('Resend webhooks').title).toBe('1 payment is left out: you may not resend webhooks of its project.')
    await userEvent.click(screen.getByRole('checkbox', { name: /^Select payment.*0002$/ }))
    expect(button('Cancel open').title).toBe('')
    await userEvent.click(button('Resend webhooks'))
    const dialog = within(screen.getByRole('dialog', { name: 'Resend webhooks' }))
    const said = [...(dialog.getByText(/^Your shop is notified again/).parentElement?.children ?? [])].map(
      (p) => p.textContent,
    )
    expect(said).toEqual([
      'Your shop is notified again how 1 payment stands.',
      '1 payment is left out: you may not resend webhooks of its project.',
    ])
  })
})

describe('payments on a phone', () => {
  it('are picked by a finger that rests on a card, or by a button', async () => {
    window.innerWidth = 390
    open()
    const cards = within(await screen.findByRole('list', { name: 'All payments' }))
    const [card] = await cards.findAllByRole('listitem')
    expect(screen.queryByRole('checkbox')).toBeNull()
    fireEvent.pointerDown(card as HTMLElement, { pointerType: 'touch', isPrimary: true, clientX: 1, clientY: 1 })
    fireEvent.contextMenu(card as HTMLElement)
    expect(await screen.findByText('1 selected')).toBeDefined()
    await press('Select all 2 on this page')
    await press('Select all 4 that match')
    expect(bar().getByRole('status').textContent).toBe('All 4 that match are selected')
    await press('Done')
    await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull())
    await press('Select')
    expect(screen.getAllByRole('checkbox')).toHaveLength(2)
  })
})
