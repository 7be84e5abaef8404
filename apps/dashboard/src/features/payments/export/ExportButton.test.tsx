import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { ExportButton } from './ExportButton.tsx'

const EXPORT = 'GET /external-platform/7/payment/export'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function open(answer: () => unknown, { role = 'root' } = {}) {
  stubServer({ 'GET /member/me': () => me(role), [EXPORT]: answer })
  const fetched = vi.spyOn(globalThis, 'fetch')
  const saved: { name: string; text: Promise<string> }[] = []
  let blob = new Blob([])
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    blob = file as Blob
    return 'blob:export'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: blob.text() })
  })
  renderScreen(
    <ExportButton projectId="7" />,
    '/project/7/payments/allPayments?status=OPEN,LATE&query=ann&cursor=9&sortBy=email',
  )
  const urls = () =>
    fetched.mock.calls.map(([url]) => (typeof url === 'string' ? url : '')).filter((url) => url.includes('/export'))
  return { saved, urls }
}

const column = (name: string) => ['columns', name]
const choose = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** A file that comes in pieces and may break off. */
function streamed(pieces: readonly string[], { breaks = false } = {}): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      if (breaks) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
  return new Response(body)
}

describe('exporting payments', () => {
  it('saves what the filter in force lets through in the columns of the table, without page and order', async () => {
    const { saved, urls } = open(() => streamed(['amountInUSD\r\n', '49.00\r\n']))
    await choose('Export CSV')
    expect(await screen.findByText('The export is saved.')).toBeDefined()
    expect(saved[0]?.name).toMatch(/^payments-7-\d{4}-\d\d-\d\d\.csv$/)
    expect(await saved[0]?.text).toBe('amountInUSD\r\n49.00\r\n')
    const query = new URL(urls()[0] ?? '').searchParams
    expect([...query]).toEqual([
      ['query', 'ann'],
      ['paymentStatus', 'OPEN'],
      ['paymentStatus', 'LATE'],
      ...['amountInUSD', 'paymentStatus', 'email', 'customerID', 'currency', 'network', 'createdAt'].map(column),
      ...['filledAmountInUSD', 'webhookStatus'].map(column),
      ['format', 'csv'],
    ])
  })

  it('follows the columns the operator chose, whatever the server’s next version names them', async () => {
    localStorage.setItem('payments:1', JSON.stringify({ layouts: { all: { columns: ['amount', 'moonPhase'] } } }))
    const { urls } = open(() => streamed(['amount,currency\r\n']))
    await choose('Export CSV')
    await waitFor(() => expect(urls()).toHaveLength(1))
    expect(new URL(urls()[0] ?? '').searchParams.getAll('columns')).toEqual(['amount', 'currency'])
  })

  it('saves every column when asked to', async () => {
    const { saved, urls } = open(() => streamed(['amountInUSD\r\n']))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Export CSV with every column', hidden: true }))
    await waitFor(() => expect(saved[0]?.name).toMatch(/\.csv$/))
    expect(new URL(urls()[0] ?? '').searchParams.has('columns')).toBe(false)
  })

  it('exports with the key e', async () => {
    const { saved } = open(() => streamed(['amountInUSD\r\n']))
    await screen.findByRole('button', { name: 'Export CSV' })
    await userEvent.keyboard('e')
    await waitFor(() => expect(saved[0]?.name).toMatch(/\.csv$/))
  })

  it('saves JSON lines', async () => {
    const { saved } = open(() => streamed(['{}\n']))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Export JSON lines', hidden: true }))
    await waitFor(() => expect(saved[0]?.name).toMatch(/\.jsonl$/))
  })

  it('saves nothing when the file breaks off', async () => {
    const { saved } = open(() => streamed(['amountInUSD\r\n'], { breaks: true }))
    await choose('Export CSV')
    expect(await screen.findByText(/The export broke off, so no file was saved\./)).toBeDefined()
    expect(saved).toEqual([])
  })

  it('says why the server refused', async () => {
    const { saved } = open(() => refusal(429, 'RATE_LIMITED', 'Too many requests. Try again in 3 seconds.'))
    await choose('Export CSV')
    expect(await screen.findByText('Too many requests. Try again in 3 seconds.')).toBeDefined()
    expect(saved).toEqual([])
  })

  it('can be stopped while it comes', async () => {
    const { saved } = open(() => new Promise(() => undefined))
    await choose('Export CSV')
    await userEvent.click(await screen.findByRole('button', { name: 'Stop' }))
    expect(saved).toEqual([])
  })

  it('is not there for those who may not', async () => {
    open(() => streamed([]), { role: 'project_ops' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull()
  })
})
