import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../testing/answers.ts'
import { isCount, paymentRow, wirePage } from '../../testing/payment-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { stubServer } from '../../testing/stub-server.ts'
import type { SentCall } from '../../testing/stub-server.ts'
import { AllPayments } from './AllPayments.tsx'

const SUMMARY = { totalCount: 46, closedCount: 20, openCount: 7, cancelledCount: 19 }
const NOTHING = { data: [], total: 0, limit: 50, offset: 0, nextCursor: null }

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1200
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(query: string, rows = [paymentRow()]) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /external-platform/7/payment/summary': () => SUMMARY,
    'POST /external-platform/7/payment/search': () => wirePage(rows),
    'GET /project/7/deposits': () => NOTHING,
    'GET /external-platform/7/missed-deposit': () => NOTHING,
  })
  const history = renderScreen(
    <AllPayments projectId="7" onListed={() => undefined} />,
    `/project/7/payments/allPayments${query}`,
  )
  const isSearch = (call: SentCall) => call.path.endsWith('/search') && !isCount(call)
  return { history, searches: () => calls.filter(isSearch).map(({ body }) => body) }
}

describe('an address that names a view', () => {
  it('narrows the list to what the view holds, from the first question on', async () => {
    const { history, searches } = open('?view=overpaid')
    expect(await screen.findByRole('button', { name: 'Status: Overpaid' })).toBeDefined()
    expect(history.location.search).toBe('?view=overpaid&status=OVER_FILLED')
    await waitFor(() => expect(searches()).toEqual([{ paymentStatus: ['OVER_FILLED'] }]))
    expect(screen.getByRole('link', { name: 'Overpaid' }).getAttribute('aria-current')).toBe('page')
  })

  it('keeps what it says itself', async () => {
    const { history } = open('?view=overpaid&status=LATE')
    expect(await screen.findByRole('link', { name: 'Overpaid*' })).toBeDefined()
    expect(history.location.search).toBe('?view=overpaid&status=LATE')
  })

  it('names it no longer when its filter is dropped', async () => {
    const { history } = open('?view=overpaid&status=OVER_FILLED')
    await userEvent.click(await screen.findByRole('button', { name: 'Clear all' }))
    await waitFor(() => expect(history.location.search).toBe(''))
    expect(screen.getByRole('link', { name: 'All' }).getAttribute('aria-current')).toBe('page')
  })
})

describe('a list without a payment', () => {
  it('says of a view that there is nothing of its kind, and leads to all', async () => {
    open('?view=late&status=LATE', [])
    expect(await screen.findByText('No late payments.')).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Drop/ })).toBeNull()
    const all = screen.getByRole('link', { name: 'Show all payments' })
    expect(all.getAttribute('href')).toBe('/project/7/payments/allPayments')
  })

  it('clears the search', async () => {
    const { history } = open('?query=zzzz', [])
    await userEvent.click(await screen.findByRole('button', { name: 'Clear search' }))
    expect(history.location.search).toBe('')
  })
})

describe('how many payments there are', () => {
  it('stands at the list, as narrowed as it is, and the tiles say that they count all', async () => {
    open('?query=zzzz')
    expect(await screen.findByText('1 payment')).toBeDefined()
    expect(await screen.findByRole('link', { name: /^Total, unfiltered/ })).toBeDefined()
  })

  it('needs no such word where nothing is narrowed, or by a tile alone', async () => {
    open('?status=CANCELLED')
    expect(await screen.findByRole('link', { name: /^Total/ })).toBeDefined()
    expect(screen.queryByText('Total, unfiltered')).toBeNull()
  })
})
