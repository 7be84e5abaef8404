import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, paymentPolicy, project } from '../../../testing/answers.ts'
import { wireCreated } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers } from '../../../testing/stub-server.ts'
import { CreateLink } from '../CreateLink.tsx'

const CREATE = 'POST /external-platform/7/payment'

const HEAD = 'amountInUSD,customerEmail,invoiceID'

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('./BulkLinks.tsx'))
beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function open(answers: Answers = {}, projectId = '7') {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /external-platform/7/readiness': () => ({ ready: true, missing: [], chains: [], leastAmountInUSD: '0.10' }),
    'GET /external-platform/7/payment-policy': () => paymentPolicy,
    [CREATE]: () => wireCreated(),
    ...answers,
  })
  const keys: string[] = []
  const stubbed = globalThis.fetch
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const key = new Headers(init.headers).get('Idempotency-Key')
    if (key !== null && url.endsWith('/payment')) keys.push(key)
    const given = new Promise<never>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    })
    return Promise.race([stubbed(url, init), given])
  })
  let saved = new Blob([])
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved = file as Blob
    return 'blob:file'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const history = renderScreen(
    <CreateLink projectId={projectId} />,
    `/project/${projectId}/payments/createPaymentLink?tabId=bulk`,
  )
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  return { sent, keys, saved: () => saved.text(), history }
}

async function choose(lines: readonly string[], name = 'november.csv') {
  const input = await screen.findByLabelText('CSV file with one link per line')
  await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull())
  await userEvent.upload(input, new File([lines.join('\n')], name, { type: 'text/csv' }))
}

describe('many links from a CSV file', () => {
  it('makes a link of every line, each under the key of its file and line', async () => {
    const { sent, keys, saved } = open()
    await choose([HEAD, '49,Ann@example.com,A-1', '"1,250.50",ben@example.com,'])
    expect(await screen.findByText('2 ready · 0 with errors')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Create 2 links' }))
    expect(await screen.findByText('2 created')).toBeDefined()
    expect(sent()).toEqual([
      { amountInUSD: '49', customerID: 'ann@example.com', customerEmail: 'Ann@example.com', invoiceID: 'A-1' },
      { amountInUSD: '1250.50', customerID: 'ben@example.com', customerEmail: 'ben@example.com' },
    ])
    expect(keys.map((key) => key.replace(/[0-9a-f]{32}/, 'digest'))).toEqual(['7-digest-2', '7-digest-3'])
    await userEvent.click(screen.getByRole('button', { name: 'Result CSV' }))
    expect((await saved()).split('\r\n')[1]).toMatch(/^2,49,Ann@example\.com,,A-1,,,created,0192.*,http.*,$/)
  })

  it('shows the links it made, each to open and to copy; of many the first 50', async () => {
    open()
    const customers = Array.from({ length: 51 }, (_, at) => `${at + 1},c${at}@example.com,`)
    await choose([HEAD, ...customers])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 51 links' }))
    await screen.findByText('51 created', undefined, { timeout: 20_000 })
    const table = within(await screen.findByRole('table', { name: 'Created links' }))
    await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(51))
    const first = within(table.getAllByRole('row')[1] ?? document.body)
    expect(first.getByRole('rowheader').textContent).toBe('$1.00')
    expect(first.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      'c0@example.com',
      expect.stringMatching(/^…000001/),
      'Line 2',
    ])
    expect(first.getByRole('link').getAttribute('href')).toMatch(/reference_id=.*000001/)
    expect(first.getByRole('button', { name: 'Copy payment link' })).toBeDefined()
    expect(screen.queryByText(/ready · 0 with errors/)).toBeNull()
    expect(screen.getByRole('link', { name: 'All payments' }).getAttribute('href')).toBe(
      '/project/7/payments/allPayments',
    )
    expect(screen.getByText('The first 50 of 51. All of them are in the result CSV.')).toBeDefined()
  }, 30_000)

  it('makes nothing twice when the same file comes again', async () => {
    const lines = [HEAD, '49,ann@example.com,']
    const first = open()
    await choose(lines)
    await userEvent.click(await screen.findByRole('button', { name: 'Create 1 link' }))
    await screen.findByText('1 created')
    cleanup()
    const second = open()
    await choose(lines, 'renamed.csv')
    await userEvent.click(await screen.findByRole('button', { name: 'Create 1 link' }))
    await screen.findByText('1 created')
    expect(second.keys).toEqual(first.keys)
  })

  it('shows lines with errors first, lets them be mended, and does not wait for them', async () => {
    const { sent } = open()
    await choose([HEAD, '49,ann@example.com,', '"12,50",ben@example.com,', '5,nobody,'])
    expect(await screen.findByText('1 ready · 2 with errors')).toBeDefined()
    const line = screen.getByRole('form', { name: 'Line 3' })
    const amount = within(line).getByRole('textbox', { name: 'Amount in USD' })
    expect(amount.getAttribute('aria-invalid')).toBe('true')
    await userEvent.clear(amount)
    await userEvent.type(amount, '12.50{Enter}')
    expect(await screen.findByText('2 ready · 1 with errors')).toBeDefined()
    expect(screen.queryByRole('form', { name: 'Line 3' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Create 2 links' }))
    await screen.findByText('2 created')
    expect(sent().map((body) => (body as { amountInUSD: string }).amountInUSD)).toEqual(['49', '12.50'])
  })

  it('counts a line that nobody could pay among those with errors, however late the least is known', async () => {
    const { promise: isKnown, resolve: tell } = Promise.withResolvers<void>()
    open({
      'GET /external-platform/7/readiness': async () => {
        await isKnown
        return { ready: true, missing: [], chains: [], leastAmountInUSD: '0.10' }
      },
    })
    await choose([HEAD, '49,ann@example.com,', '0.09,ben@example.com,'])
    expect(await screen.findByText('Reading november.csv…')).toBeDefined()
    tell()
    expect(await screen.findByText('1 ready · 1 with errors')).toBeDefined()
    expect(screen.getByText('Nobody could pay this: no payment method here takes less than $0.10')).toBeDefined()
  })

  describe('with lines mended by hand', () => {
    const question = () => screen.queryByRole('dialog', { name: 'Leave the corrected lines?' })
    const answer = (name: string) => userEvent.click(screen.getByRole('button', { name }))
    const mend = async () => {
      await choose([HEAD, '49,ann@example.com,', '"12,50",ben@example.com,', '5,nobody,'])
      const amount = within(await screen.findByRole('form', { name: 'Line 3' })).getByRole('textbox')
      await userEvent.clear(amount)
      await userEvent.type(amount, '12.50')
    }

    it('asks before they are lost to another tab or another file, checked or not', async () => {
      const { history } = open()
      await mend()
      await userEvent.click(screen.getByRole('tab', { name: 'One link' }))
      await waitFor(() => expect(question()).not.toBeNull())
      await answer('Stay here')
      await userEvent.click(screen.getByRole('button', { name: 'Check line 3' }))
      expect(await screen.findByText('2 ready · 1 with errors')).toBeDefined()
      await userEvent.click(screen.getByRole('tab', { name: 'One link' }))
      await waitFor(() => expect(question()).not.toBeNull())
      await answer('Stay here')
      expect(history.location.search).toBe('?tabId=bulk')
      await answer('Another file')
      expect(question()).not.toBeNull()
      await answer('Stay here')
      expect(screen.getByText('2 ready · 1 with errors')).toBeDefined()
      await answer('Another file')
      await answer('Choose another file')
      expect(await screen.findByLabelText('CSV file with one link per line')).toBeDefined()
    })

    it('asks nothing once what was typed is taken back, and asks again for a checked line typed back to its check', async () => {
      const { history } = open()
      await choose([HEAD, '"12,50",ben@example.com,', '5,nobody,'])
      const line = () => within(screen.getByRole('form', { name: 'Line 2' })).getByRole('textbox')
      await screen.findByRole('form', { name: 'Line 2' })
      await userEvent.type(line(), 'x')
      await answer('Another file')
      expect(question()).not.toBeNull()
      await answer('Stay here')
      await userEvent.type(line(), 'y{Enter}')
      await userEvent.type(line(), '{Backspace}y')
      await answer('Another file')
      expect(question()).not.toBeNull()
      await answer('Stay here')
      await userEvent.type(line(), '{Backspace}{Backspace}')
      await userEvent.click(screen.getByRole('tab', { name: 'One link' }))
      await waitFor(() => expect(history.location.search).toBe('?tabId=single'))
      expect(question()).toBeNull()
    })

    it('asks nothing once their links are made, nor where nothing was typed', async () => {
      const { history } = open()
      await mend()
      await userEvent.click(screen.getByRole('button', { name: 'Check line 3' }))
      await userEvent.click(await screen.findByRole('button', { name: 'Create 2 links' }))
      await screen.findByText('2 created')
      await answer('Another file')
      expect(question()).toBeNull()
      await choose([HEAD, '49,ann@example.com,', '5,nobody,'])
      await screen.findByText('1 ready · 1 with errors')
      await userEvent.click(screen.getByRole('tab', { name: 'One link' }))
      await waitFor(() => expect(history.location.search).toBe('?tabId=single'))
      expect(question()).toBeNull()
    })
  })

  it('shows what was made above what is to be mended, and says how many of each there are', async () => {
    open()
    await choose([HEAD, '49,ann@example.com,', '7,cem@example.com,', '5,nobody,'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 2 links' }))
    expect(await screen.findByText('2 created · 1 with errors')).toBeDefined()
    const created = await screen.findByRole('table', { name: 'Created links' })
    const mend = screen.getByRole('form', { name: 'Line 4' })
    expect(created.compareDocumentPosition(mend) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
    const address = within(mend).getByRole('textbox', { name: 'Customer e-mail' })
    await userEvent.clear(address)
    await userEvent.type(address, 'dan@example.com{Enter}')
    expect(await screen.findByText('2 created · 1 ready')).toBeDefined()
  })

  it('marks what a line cannot go out without', async () => {
    open()
    await choose(['amountInUSD,customerEmail,expiresInMinutes', ',ann@example.com,soon', '5,nobody,'])
    const isRequired = async (line: number, name: string) => {
      const form = await screen.findByRole('form', { name: `Line ${line}` })
      return within(form).getByRole('textbox', { name }).getAttribute('aria-required')
    }
    expect(await isRequired(2, 'Amount in USD')).toBe('true')
    expect(await isRequired(2, 'Expires in minutes')).toBeNull()
    expect(await isRequired(3, 'Customer e-mail')).toBe('true')
  })

  it('tries failed lines again under another key', async () => {
    let isTaken = true
    const { keys } = open({
      [CREATE]: () => (isTaken ? refusal(409, 'INVOICE_EXISTS', 'This invoice has a link already.') : wireCreated()),
    })
    await choose([HEAD, '49,ann@example.com,A-1'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 1 link' }))
    const failed = await screen.findByRole('list', { name: 'Failed lines' })
    expect(failed.textContent).toMatch(/Line 2.*ann@example\.com.*This invoice has a link already\./)
    isTaken = false
    await userEvent.click(await screen.findByRole('button', { name: 'Retry 1' }))
    expect(await screen.findByText('1 created')).toBeDefined()
    expect(keys.map((key) => key.replace(/[0-9a-f]{32}/, 'digest'))).toEqual(['7-digest-2', '7-digest-2-2'])
  })

  it('pauses when the server is lost and goes on under the same key', async () => {
    let isDown = true
    const { keys } = open({
      [CREATE]: () => {
        if (isDown) throw new TypeError('Failed to fetch')
        return wireCreated()
      },
    })
    await choose([HEAD, '49,ann@example.com,'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 1 link' }))
    expect(await screen.findByText(/The server could not be reached\./)).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Create 1' }))
    expect(await screen.findByText('1 created')).toBeDefined()
    expect(new Set(keys).size).toBe(1)
  })

  it('pauses and stays when told so while links are made', async () => {
    const { history } = open({ [CREATE]: () => new Promise(() => undefined) })
    await choose([HEAD, '49,ann@example.com,', '5,ben@example.com,'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 2 links' }))
    await userEvent.click(await screen.findByRole('tab', { name: 'One link' }))
    const dialog = await screen.findByRole('dialog', { name: 'Leave while links are made?' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Stay here' }))
    expect(history.location.search).toBe('?tabId=bulk')
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
    expect(await screen.findByRole('button', { name: 'Create 2 links' })).toBeDefined()
  })

  it('warns that a customer’s later line ends the one before', async () => {
    open()
    await choose([HEAD, '49,ann@example.com,', '5,ANN@example.com,'])
    expect(
      await screen.findByText(/1 customer has more than one line\. This project keeps one open link/),
    ).toBeDefined()
    const settings = screen.getByRole('link', { name: 'the project’s settings' })
    expect(settings.getAttribute('href')).toBe('/settings/account/7?tabId=checkout')
  })

  it.each([
    [[''], /This file is empty\. Start from the template below\./],
    [['PK\u0003\u0004\u0000\u0000'], /This file is not text\. In your spreadsheet, save it as CSV/],
    [['Betrag;Mail', '49;a@b.example'], /Found there: “Betrag”, “Mail”\. Needed: amountInUSD, and customerEmail/],
    [['49,ann@example.com'], /Found there: “49”, “ann@example\.com”\./],
    [[HEAD], /a header row and no line below it/],
    [[HEAD, ...Array.from({ length: 10_001 }, () => '1,a@b.example,')], /more than 10,000 lines/],
  ])('refuses a file that is no list of links (%#)', async (lines, text) => {
    open()
    await choose(lines)
    expect(await screen.findByText(text, undefined, { timeout: 10_000 })).toBeDefined()
  })

  it('asks for the project first where the page covers all of them', async () => {
    open(
      { 'GET /external-platform/all': () => [project(7, 'Acme')], 'GET /external-platform/details': () => [] },
      'all',
    )
    await choose([HEAD, '49,ann@example.com,'])
    expect(await screen.findByText('Choose a project first.')).toBeDefined()
  })
})
