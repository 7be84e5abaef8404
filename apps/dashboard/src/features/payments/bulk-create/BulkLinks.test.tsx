import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, paymentPolicy, project } from '../../../testing/answers.ts'
import { bulkServer } from '../../../testing/bulk-jobs.ts'
import type { BulkServer, RowFate } from '../../../testing/bulk-jobs.ts'
import { reference } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import type { Answers } from '../../../testing/stub-server.ts'
import { CreateLink } from '../CreateLink.tsx'

const HEAD = 'amountInUSD,customerEmail,invoiceID'

// What is loaded when it is first asked for is there at once.
beforeAll(() => import('./BulkLinks.tsx'))
beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Each line makes a link of its own. */
function made({ line }: { readonly line: number }): RowFate {
  const referenceID = line < 12 ? reference(line - 1) : `0192a7de-0000-7000-8000-${String(line - 1).padStart(12, '0')}`
  return { result: { referenceID, url: `http://localhost/pay?reference_id=${referenceID}` } }
}

function open(answers: Answers = {}, projectId = '7', server: BulkServer = bulkServer(made)) {
  stubServer({
    'GET /member/me': () => me(),
    'GET /external-platform/7/readiness': () => ({ ready: true, missing: [], chains: [], leastAmountInUSD: '0.10' }),
    'GET /external-platform/7/payment-policy': () => paymentPolicy,
    ...server.answers,
    ...answers,
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
  const rows = () => server.sent.flatMap((job) => job.rows ?? [])
  const sent = () => rows().map(({ input }) => input)
  const keys = () => rows().map(({ key }) => key.replace(/[0-9a-f]{32}/, 'digest'))
  return { server, sent, keys, saved: () => saved.text(), history }
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
    expect(keys()).toEqual(['digest-2', 'digest-3'])
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
    expect(second.server.sent).toEqual(first.server.sent)
  })

  it('shows lines with errors first, lets them be corrected, and does not wait for them', async () => {
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
    expect(sent().map(({ amountInUSD }) => amountInUSD)).toEqual(['49', '12.50'])
  })

  it('counts a line below the minimum among those with errors, also when the minimum arrives late', async () => {
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

  describe('with lines corrected by hand', () => {
    const question = () => screen.queryByRole('dialog', { name: 'Leave the corrected lines?' })
    const answer = (name: string) => userEvent.click(screen.getByRole('button', { name }))
    const correct = async () => {
      await choose([HEAD, '49,ann@example.com,', '"12,50",ben@example.com,', '5,nobody,'])
      const amount = within(await screen.findByRole('form', { name: 'Line 3' })).getByRole('textbox')
      await userEvent.clear(amount)
      await userEvent.type(amount, '12.50')
    }

    it('asks before they are lost to another tab or another file, checked or not', async () => {
      const { history } = open()
      await correct()
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
      await correct()
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

  it('shows what was made above what is to be corrected, and says how many of each there are', async () => {
    open()
    await choose([HEAD, '49,ann@example.com,', '7,cem@example.com,', '5,nobody,'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 2 links' }))
    expect(await screen.findByText('2 created · 1 with errors')).toBeDefined()
    const created = await screen.findByRole('table', { name: 'Created links' })
    const correct = screen.getByRole('form', { name: 'Line 4' })
    expect(created.compareDocumentPosition(correct) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
    const address = within(correct).getByRole('textbox', { name: 'Customer e-mail' })
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

  it('tries failed lines again, and keeps those that were made', async () => {
    let isTaken = true
    const taken = { errorCode: 'INVOICE_EXISTS', error: 'This invoice has a link already.' }
    const { keys } = open(
      {},
      '7',
      bulkServer((row) => (isTaken && row.line === 2 ? taken : made(row))),
    )
    await choose([HEAD, '49,ann@example.com,A-1', '5,ben@example.com,'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 2 links' }))
    const failed = await screen.findByRole('list', { name: 'Failed lines' })
    expect(failed.textContent).toMatch(/Line 2.*ann@example\.com.*This invoice has a link already\./)
    expect(screen.getByText('1 created, 1 failed')).toBeDefined()
    isTaken = false
    await userEvent.click(await screen.findByRole('button', { name: 'Retry 1' }))
    expect(await screen.findByText('2 created')).toBeDefined()
    expect(keys()).toEqual(['digest-2', 'digest-3', 'digest-2'])
  })

  it('leaves open links as they are, until “Create anyway”', async () => {
    const server = bulkServer((row) =>
      row.line === 3 || row.input['replace'] === true
        ? made(row)
        : { errorCode: 'CUSTOMER_HAS_OPEN_LINK', error: 'Use the link 0192…' },
    )
    open({}, '7', server)
    await choose([HEAD, '49,ann@example.com,A-1', '5,ben@example.com,'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 2 links' }))
    const failed = await screen.findByRole('list', { name: 'Failed lines' })
    expect(failed.textContent).toMatch(/Line 2.*already has an open link; it was left as it is/)
    await userEvent.click(screen.getByRole('button', { name: 'Create 1 anyway' }))
    expect(await screen.findByText('2 created')).toBeDefined()
    expect(server.sent.map(({ shared, rows = [] }) => [shared, rows.length])).toEqual([
      [undefined, 2],
      [{ replace: true }, 1],
    ])
  })

  it('says why it cannot start, and starts once it can', async () => {
    let isDown = true
    const server = bulkServer(made)
    const start = server.answers['POST /external-platform/7/bulk-job']
    open(
      {
        'POST /external-platform/7/bulk-job': (call, query) => {
          if (isDown) throw new TypeError('Failed to fetch')
          return start?.(call, query)
        },
      },
      '7',
      server,
    )
    await choose([HEAD, '49,ann@example.com,'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 1 link' }))
    expect(await screen.findByText(/The server could not be reached\./)).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Create 1' }))
    expect(await screen.findByText('1 created')).toBeDefined()
  })

  it('pauses when outcome so, and goes on with the lines that are left', async () => {
    const server = bulkServer(made)
    server.isHeld = true
    const { keys } = open({}, '7', server)
    await choose([HEAD, '49,ann@example.com,', '5,ben@example.com,'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 2 links' }))
    expect(await screen.findByText('Creating: 0 created of 2')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Create 2 links' }))
    server.isHeld = false
    expect(await screen.findByText('2 created', undefined, { timeout: 5_000 })).toBeDefined()
    expect(keys()).toEqual(['digest-2', 'digest-3', 'digest-2', 'digest-3'])
  })

  it('goes on without the page, which shows it when it comes back', async () => {
    const server = bulkServer(made)
    server.isHeld = true
    const { history } = open({}, '7', server)
    await choose([HEAD, '49,ann@example.com,'])
    await userEvent.click(await screen.findByRole('button', { name: 'Create 1 link' }))
    await screen.findByText('The server makes them. You may leave this page; it goes on.')
    await userEvent.click(await screen.findByRole('tab', { name: 'One link' }))
    await waitFor(() => expect(history.location.search).toBe('?tabId=single'))
    await userEvent.click(await screen.findByRole('tab', { name: 'Many from CSV' }))
    const jobs = within(await screen.findByRole('list', { name: 'Recent files' }))
    expect(await jobs.findByText('0 of 1 done')).toBeDefined()
    await userEvent.click(jobs.getByRole('button', { name: 'Stop' }))
    expect(await jobs.findByText('Stopped: 0 of 1 done')).toBeDefined()
    expect(jobs.getByRole('button', { name: 'Result CSV' })).toBeDefined()
  })

  it('warns that a customer’s later line waits for a decision', async () => {
    open()
    await choose([HEAD, '49,ann@example.com,', '5,ANN@example.com,'])
    expect(
      await screen.findByText(/1 customer has more than one line\. This project keeps one open link/),
    ).toBeDefined()
    const settings = screen.getByRole('link', { name: 'the project’s settings' })
    expect(settings.getAttribute('href')).toBe('/settings/account/7?tab=checkout')
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
