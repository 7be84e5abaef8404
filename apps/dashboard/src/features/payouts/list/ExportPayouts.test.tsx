import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { AT, me } from '../../../testing/answers.ts'
import { WIRE_METRICS, wirePayout, wirePayouts } from '../../../testing/payout-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { Payouts } from '../Payouts.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Opens the list, whose pages are answered one after the other; a page is what the server says, or its refusal. */
async function open(address: string, answer: (cursor: string | null) => unknown) {
  const asked: URLSearchParams[] = []
  const saved: { name: string; text: Promise<string> }[] = []
  let blob = new Blob([])
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    blob = file as Blob
    return 'blob:export'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: blob.text() })
  })
  stubServer({
    'GET /member/me': () => me('root'),
    'GET /project/7/withdrawals/metrics': () => WIRE_METRICS,
    'GET /project/7/withdrawals': () => {
      const [url] = vi.mocked(fetch).mock.lastCall ?? []
      asked.push(new URL(typeof url === 'string' ? url : '', window.location.href).searchParams)
      return answer(asked.at(-1)?.get('cursor') ?? null)
    },
  })
  vi.spyOn(globalThis, 'fetch')
  renderScreen(<Payouts projectId="7" />, `/withdraw/payouts?projectId=7${address}`)
  const button = await screen.findByRole('button', { name: 'Export CSV' })
  asked.length = 0
  await userEvent.click(button)
  return { asked, saved }
}

describe('exporting payouts', () => {
  it('saves what the filter lets through, all its pages, with amounts and their units apart', async () => {
    const paid = wirePayout({ id: 13, status: 'processed', fee: '0.0001', note: '=1+1', timestamp: AT })
    const { asked, saved } = await open('&status=processed&limit=10', (cursor) =>
      cursor === null
        ? { ...wirePayouts([wirePayout()]), nextCursor: 'second' }
        : { ...wirePayouts([paid]), nextCursor: null },
    )
    expect(await screen.findByText('Payouts saved as CSV')).toBeDefined()
    expect(saved[0]?.name).toMatch(/^payouts-\d{4}-\d\d-\d\d\.csv$/)
    const [head, first, second, end] = (await saved[0]?.text)?.split('\r\n') ?? []
    expect(head).toMatch(
      /^id,project,type,status,created_at,sent_at,amount,currency,network,amount_in_usd,network_fee,/,
    )
    expect(first).toMatch(/^12,Acme,payout,pending-approval,2[^,]+Z,,800,USDC,BASE,800\.00,,,Supplier A,/)
    expect(second).toMatch(/^13,Acme,payout,processed,2[^,]+Z,2[^,]+Z,800,USDC,BASE,800\.00,0\.0001,ETH,Supplier A,/)
    expect(second).toContain(",'=1+1,")
    expect(end).toBe('')
    expect(asked.map((query) => ['status', 'limit', 'cursor'].map((name) => query.get(name)))).toEqual([
      ['processed', '200', null],
      ['processed', '200', 'second'],
    ])
  })

  it('asks under “Needs me” for what the operator may approve, on every page', async () => {
    const { asked, saved } = await open('&view=mine', (cursor) => ({
      ...wirePayouts([wirePayout({ id: cursor === null ? 12 : 13 })]),
      nextCursor: cursor === null ? 'second' : null,
    }))
    await screen.findByText('Payouts saved as CSV')
    const lines = (await saved[0]?.text)?.trimEnd().split('\r\n') ?? []
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['12', '13'])
    expect(asked.map((query) => query.get('waitingFor'))).toEqual(['me', 'me'])
  })

  it('says when there is more than one file holds', async () => {
    const { asked, saved } = await open('', () => ({ ...wirePayouts([wirePayout()]), nextCursor: 'further' }))
    expect(await screen.findByText(/^Only the first 50 rows are in the file\./)).toBeDefined()
    expect(screen.queryByText('Payouts saved as CSV')).toBeNull()
    expect([asked, saved].map(({ length }) => length)).toEqual([50, 1])
  })

  it('saves nothing when a page fails, and says why', async () => {
    let isFirst = true
    const { saved } = await open('', () => {
      if (!isFirst) return refusal(429, 'RATE_LIMITED', 'Too many requests. Try again in 3 seconds.')
      isFirst = false
      return wirePayouts([wirePayout()])
    })
    expect(await screen.findByText('Too many requests. Try again in 3 seconds.')).toBeDefined()
    expect(saved).toEqual([])
  })
})
