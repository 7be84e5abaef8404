import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me, project } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers } from '../../../testing/stub-server.ts'
import { delivery, deliveryPage, SHOP_URL, webhook } from '../../../testing/webhook-answers.ts'
import { Developers } from '../Developers.tsx'
import { payloadBadge } from '../payload-badge.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const REFERENCE = '0192c3f0-0000-7000-8000-000000000001'
const event = (id: string, type = 'payment.filled') => ({
  id,
  sequence: 2,
  type,
  createdAt: AT,
  payload: { event_type: type, reference_id: REFERENCE, status: 'FILLED' },
})
const base: Answers = {
  'GET /member/me': () => me(),
  'GET /external-platform/all': () => [project(7, 'Acme')],
  'GET /external-platform/details': () => [],
}
const feed = (count: number) => ({
  data: Array.from({ length: count }, (_, at) => event(`evt_${at}`)),
  nextCursor: 'further',
})

function show(answers: Answers, more = '') {
  stubServer({ ...base, ...answers })
  return renderScreen(<Developers badgeOf={payloadBadge} />, `/developers?tabId=events&projectId=7${more}`)
}

const EVENTS = 'GET /external-platform/7/events'

describe('EventLog', () => {
  it('says what to do while nothing has happened', async () => {
    show({ [EVENTS]: () => ({ data: [], nextCursor: null }) })
    expect(await screen.findByText('Nothing has happened yet')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Older' })).toBeNull()
  })

  it('names whom a payout or a reward goes to, and how much it is', async () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const payout = { address, amount_in_usd: '20.00', status: 'sent' }
    const reward = { rewardedMemberEmail: 'nadia@mail.example', amount: '10', currencyCode: 'USDC', status: 'pending' }
    show({
      [EVENTS]: () => ({
        data: [
          { ...event('evt_2', 'payout.sent'), payload: payout },
          {
            ...event('evt_1', 'referral.reward_earned'),
            payload: { event_type: 'referral.reward_earned', data: reward },
          },
        ],
        nextCursor: null,
      }),
    })
    const sent = await screen.findByRole('row', { name: /payout\.sent/ })
    expect(within(sent).getByRole('img', { name: address })).toBeDefined()
    expect(sent.textContent).toContain('$20.00')
    expect(screen.getByRole('row', { name: /reward_earned/ }).textContent).toMatch(/Owednadia@mail\.example10\sUSDC/)
  })

  it('shows an event as it is kept', async () => {
    const history = show({
      [EVENTS]: () => ({ data: [event('evt_1')], nextCursor: 'further' }),
      'GET /external-platform/7/webhook': () => [webhook()],
      'GET /external-platform/7/webhook-deliveries': () =>
        deliveryPage(delivery({ id: 'evt_1', status: 'received' }), delivery({ id: 'evt_0', deliveryID: 98 })),
    })
    const link = await screen.findByRole('link', { name: 'payment.filled' })
    expect(screen.getByTitle(REFERENCE).textContent).toBe('…000001')
    await userEvent.click(link)
    expect(history.location.search).toContain('shown=evt_1')
    const drawer = within(await screen.findByRole('dialog', { name: 'payment.filled' }))
    expect(drawer.getByRole('group', { name: 'payload' }).textContent).toContain(`"reference_id": "${REFERENCE}"`)
    const deliveries = within(await drawer.findByRole('region', { name: 'Deliveries' }))
    expect(await deliveries.findByText(SHOP_URL)).toBeDefined()
    expect(await deliveries.findByText('Delivered')).toBeDefined()
    expect(deliveries.getAllByRole('listitem')).toHaveLength(1)
    await userEvent.click(drawer.getByRole('button', { name: 'Close' }))
    expect(history.location.search).not.toContain('shown')
  })

  it('says who owes what and how it stands; a state without a badge as it is called', async () => {
    const [paid, payout] = [event('evt_1'), event('evt_2', 'payout.processed')]
    const known = { customer_email: 'ann@example.com', amount_in_usd: '1249.5' }
    show({
      [EVENTS]: () => ({
        data: [
          { ...paid, payload: { ...paid.payload, ...known } },
          { ...payout, payload: { status: 'processed', amount_in_usd: '12' } },
        ],
        nextCursor: null,
      }),
    })
    await screen.findByRole('link', { name: 'payment.filled' })
    const cells = (at: number) =>
      within(screen.getAllByRole('row')[at] ?? document.body)
        .getAllByRole('cell')
        .slice(0, 4)
        .map((cell) => cell.textContent)
    expect(cells(1)).toEqual(['✓Paid', 'ann@example.com', '$1,249.50', '…000001'])
    expect(cells(2)).toEqual(['processed', '–', '$12.00', '–'])
  })

  it('goes on to older events where a page ends, and back to the newest', async () => {
    const history = show({ [EVENTS]: () => feed(50) })
    await userEvent.click(await screen.findByRole('button', { name: 'Older' }))
    expect(history.location.search).toContain('cursor=further')
    // Only the newest page can follow what happens.
    expect(screen.queryByRole('switch', { name: 'Live' })).toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: 'Newer' }))
    expect(history.location.search).not.toContain('cursor=')
    expect(screen.getByRole('switch', { name: 'Live' })).toBeDefined()
  })

  it('shows new events at once, but not while the pointer is on the list or live events are off', async () => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    const ids = ['evt_1']
    show({ [EVENTS]: () => ({ data: ids.map((id) => event(id)), nextCursor: null }) })
    const happens = async (id: string) => {
      ids.unshift(id)
      await act(() => vi.advanceTimersByTimeAsync(6_000))
    }
    const rows = () => screen.getAllByRole('row').length - 1
    await screen.findByRole('link', { name: 'payment.filled' })
    expect(rows()).toBe(1)
    await happens('evt_2')
    await waitFor(() => expect(rows()).toBe(2))
    await user.hover(screen.getByRole('table', { name: 'Events' }))
    expect(screen.getByText('Waits while you read')).toBeDefined()
    await happens('evt_3')
    expect(await screen.findByRole('button', { name: '1 new event' })).toBeDefined()
    expect(rows()).toBe(2)
    vi.stubGlobal('scrollY', 400)
    fireEvent.scroll(document)
    await user.unhover(screen.getByRole('region', { name: 'Event log' }))
    expect(rows()).toBe(2)
    vi.stubGlobal('scrollY', 0)
    fireEvent.scroll(document)
    await waitFor(() => expect(rows()).toBe(3))
    await user.click(screen.getByRole('switch', { name: 'Live' }))
    await user.unhover(screen.getByRole('region', { name: 'Event log' }))
    await happens('evt_4')
    expect(rows()).toBe(3)
    await user.click(await screen.findByRole('button', { name: '1 new event' }))
    expect(rows()).toBe(4)
    vi.useRealTimers()
  })

  it('is narrowed to one kind of event, which stands in the address', async () => {
    const history = show({ [EVENTS]: () => feed(50) }, '&cursor=further')
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Event' }), 'payment.cancelled')
    expect(history.location.search).toContain('event=payment.cancelled')
    expect(history.location.search).not.toContain('cursor')
  })

  it('does not begin where the list of another tab was', async () => {
    const history = show({ [EVENTS]: () => feed(50) }, '&cursor=further&shown=evt_1')
    await userEvent.click(await screen.findByRole('tab', { name: 'API keys' }))
    expect(history.location.search).toBe('?tabId=apiKeys&projectId=7')
  })

  it('shows why it could not be loaded, and keeps the filters', async () => {
    const history = show(
      { [EVENTS]: () => refusal(400, 'CURSOR_INVALID', 'This page is no longer valid. Start again.') },
      '&cursor=x',
    )
    expect(await screen.findByText('This page is no longer valid. Start again.')).toBeDefined()
    expect(screen.getByRole('combobox', { name: 'Event' })).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(history.location.search).not.toContain('cursor')
  })
})
