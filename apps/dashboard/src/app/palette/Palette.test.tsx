import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { Commands, useCommandKeys } from './Commands.tsx'
import { followTheme } from '../../lib/display/theme.ts'
import { AT, me, project } from '../../testing/answers.ts'
import { reference } from '../../testing/payment-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, type SentCall, stubServer } from '../../testing/stub-server.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { Drawer } from '../../ui/overlays/Drawer.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const projects: Answers = {
  'GET /external-platform/all': () => [project(7, 'Acme')],
  'GET /external-platform/details': () => [],
  'POST /project/7/search': () => found(),
  'POST /project/all/search': () => found(),
}

const SEARCH = 'POST /project/7/search'

/** What the server finds: nothing, except what is named. */
function found(more: object = {}) {
  return { payments: [], customers: [], payouts: [], promoters: [], members: [], keys: [], ...more }
}

const payment = (id: number, more: object = {}) => ({
  referenceID: reference(id),
  externalPlatformID: 7,
  paymentStatus: 'OPEN',
  fundingState: 'none',
  cancelReason: null,
  amountInUSD: '49.00',
  customerID: 'ann',
  email: 'a@example.com',
  createdAt: AT,
  ...more,
})

function Page() {
  const [layer, setLayer] = useCommandKeys('7')
  return (
    <>
      <input aria-label="Note" />
      <Commands layer={layer} onLayer={setLayer} />
    </>
  )
}

async function show(answers: Answers = {}) {
  const calls = stubServer({ 'GET /member/me': () => me(), ...projects, ...answers })
  const history = renderScreen(<Page />, '/project/7/dashboard')
  await screen.findByLabelText('Note')
  return { calls, history }
}
const searchesIn = (calls: readonly SentCall[]) =>
  calls.filter(({ path }) => path.endsWith('/search')).map(({ body }) => body)
const open = async () => {
  await userEvent.keyboard('{Control>}k{/Control}')
  return screen.findByRole('combobox', { name: 'Search or command' })
}

describe('the command palette', () => {
  // Stands first: only the first opening loads it.
  it('takes what is typed while it loads; no letter is lost or acts on the page', async () => {
    const { history } = await show()
    await userEvent.setup({ delay: null }).keyboard('{Control>}k{/Control}create api')
    expect(await screen.findByRole('option', { name: /Create API key/, selected: true })).toBeDefined()
    expect(screen.getByRole('combobox', { name: 'Search or command' })).toHaveProperty('value', 'create api')
    expect(history.location.pathname).toBe('/project/7/dashboard')
  })

  it('opens with Ctrl+K, finds a page by keyboard and goes there', async () => {
    const { history } = await show()
    await userEvent.type(await open(), 'system')
    expect(await screen.findByRole('option', { name: /System health/, selected: true })).toBeDefined()
    await userEvent.keyboard('{Enter}')
    expect(history.location.href).toBe('/settings/system')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('chooses each theme by its name', async () => {
    onTestFinished(followTheme())
    await show()
    await userEvent.type(await open(), 'theme dark')
    await screen.findByRole('option', { name: 'Theme: Dark', selected: true })
    await userEvent.keyboard('{Enter}')
    expect(document.documentElement.dataset.theme).toBe('dark')
    await userEvent.type(await open(), 'theme sys{Enter}')
    expect(document.documentElement.dataset.theme).toBeUndefined()
  })

  it('moves through the results with the arrows, round at the end', async () => {
    await show()
    const field = await open()
    await userEvent.type(field, '>')
    const options = within(await screen.findByRole('listbox')).getAllByRole('option')
    await userEvent.keyboard('{ArrowUp}')
    expect(options.at(-1)?.getAttribute('aria-selected')).toBe('true')
    expect(field.getAttribute('aria-activedescendant')).toBe(options.at(-1)?.id)
    await userEvent.keyboard('{ArrowDown}')
    expect(options.at(0)?.getAttribute('aria-selected')).toBe('true')
  })

  it('finds a member and leads to the list that holds them', async () => {
    const olga = { id: 2, email: 'olga@shop.example', name: 'Olga' }
    const { calls, history } = await show({ [SEARCH]: () => found({ members: [olga] }) })
    await userEvent.type(await open(), 'olga')
    await screen.findByRole('option', { name: /olga@shop\.example/, selected: true })
    expect(searchesIn(calls)).toEqual([{ query: 'olga' }])
    await userEvent.keyboard('{Enter}')
    expect(history.location.href).toBe('/settings/members?query=olga%40shop.example')
  })

  it('makes a link of “charge 49 a@example.com”', async () => {
    const { calls, history } = await show({
      'POST /external-platform/7/payment': () => ({
        reference_id: '0192c1de-0000-7000-8000-000000000001',
        url: 'http://localhost:8080/payments?reference_id=1',
        host: 'http://localhost:8080',
        expiresAt: '2026-11-22T10:00:00.000Z',
        superseded: [],
      }),
    })
    await userEvent.type(await open(), 'charge 49 a@example.com')
    await screen.findByRole('option', { name: /Create payment link for \$49\.00/ })
    await userEvent.keyboard('{Enter}')
    await vi.waitFor(() => expect(history.location.href).toContain('open=0192c1de'))
    const sent = calls.find(({ path }) => path.endsWith('/payment'))?.body
    expect(sent).toEqual({ amountInUSD: '49', customerEmail: 'a@example.com', customerID: 'a@example.com' })
  })

  it('leads a charge to the form where the customer has an open link', async () => {
    const { history } = await show({
      'POST /external-platform/7/payment': () =>
        refusal(409, 'CUSTOMER_HAS_OPEN_LINK', 'This customer already has an open link.'),
    })
    await userEvent.type(await open(), 'charge 49 a@example.com')
    await screen.findByRole('option', { name: /Create payment link for \$49\.00/ })
    await userEvent.keyboard('{Enter}')
    await vi.waitFor(() =>
      expect(history.location.href).toBe('/project/7/payments/createPaymentLink?amount=49&email=a%40example.com'),
    )
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('tells payments of one moment apart by their end and their state', async () => {
    const payments = [payment(1, { paymentStatus: 'FILLED', fundingState: 'confirmed' }), payment(2)]
    await show({ [SEARCH]: () => found({ payments }) })
    await userEvent.type(await open(), 'a@example.com')
    const paid = await screen.findByRole('option', { name: /^\$49\.00 · a@example\.com\s*Paid.*…000001$/ })
    expect(paid.querySelector('time')).not.toBeNull()
    expect(screen.getByRole('option', { name: /Open.*…000002$/ })).toBeDefined()
  })

  it('says of a charge with a comma how decimals are typed', async () => {
    await show()
    await userEvent.type(await open(), 'charge 1.234,56 a@example.com')
    const said = await screen.findAllByText('For decimals use a point, as in 1.50')
    expect(said.map((one) => one.getAttribute('role'))).toEqual([null, 'status'])
    expect(screen.queryByText(/Nothing found/)).toBeNull()
  })

  it('says that a charge needs a project, where there are several and none is chosen', async () => {
    stubServer({
      'GET /member/me': () => me(),
      ...projects,
      'GET /external-platform/all': () => [project(7, 'Acme'), project(8, 'Nordlicht')],
    })
    renderScreen(<Page />, '/settings/security')
    await screen.findByLabelText('Note')
    await userEvent.type(await open(), 'charge 49 a@example.com')
    const said = await screen.findAllByText('Go to a project first: a link belongs to one')
    expect(said.map((one) => one.getAttribute('role'))).toEqual([null, 'status'])
    expect(screen.queryByText(/Nothing found/)).toBeNull()
  })

  it('finds every kind by one search, each with the way to it', async () => {
    const within7 = { externalPlatformID: 7 }
    const payout = { id: 4, ...within7, status: 'pending', amount: '12.5', currencyCode: 'USDC', blockchainCode: 'ETH' }
    const more = { toAddress: '0x1', recipientName: 'Wren Ltd', recipientEmail: null, createdAt: AT }
    const { calls } = await show({
      [SEARCH]: () =>
        found({
          payments: [payment(1)],
          customers: [{ id: 3, ...within7, email: 'wren@example.com', customerID: 'wren', name: 'Wren' }],
          payouts: [{ ...payout, ...more }],
          promoters: [{ id: 5, ...within7, email: 'p@wren.example', referenceID: 'p', code: 'WREN', status: 'active' }],
          members: [{ id: 2, email: 'm@wren.example', name: '' }],
          keys: [{ id: 6, ...within7, name: 'Wren’s shop', last4: 'ab12' }],
        }),
    })
    await userEvent.type(await open(), 'wren')
    const groups = ['Payments', 'Customers', 'Payouts', 'Promoters', 'Members', 'API keys']
    await screen.findByRole('group', { name: 'Payments' })
    for (const name of groups)
      expect(within(screen.getByRole('group', { name })).getAllByRole('option')).toHaveLength(1)
    expect(searchesIn(calls)).toEqual([{ query: 'wren' }])
  })

  it('leads to a payout, a customer’s payments and the keys', async () => {
    const within7 = { externalPlatformID: 7 }
    const { history } = await show({
      [SEARCH]: () =>
        found({
          customers: [{ id: 3, ...within7, email: 'wren@example.com', customerID: 'w-1', name: '' }],
          keys: [{ id: 6, ...within7, name: 'Wren’s shop', last4: 'ab12' }],
        }),
    })
    await userEvent.type(await open(), 'wren')
    await userEvent.click(await screen.findByRole('option', { name: /wren@example\.com/ }))
    expect(history.location.href).toBe('/project/7/payments/allPayments?query=w-1')
    await userEvent.type(await open(), 'wren')
    await userEvent.click(await screen.findByRole('option', { name: /Wren’s shop/ }))
    expect(history.location.href).toBe('/developers?projectId=7&tabId=apiKeys')
  })

  it('searches once a person has stopped typing, and not for each letter', async () => {
    const { calls } = await show()
    await userEvent.type(await open(), 'wrenfield')
    await vi.waitFor(() => expect(searchesIn(calls)).toEqual([{ query: 'wrenfield' }]))
  })

  it('says when nothing is found', async () => {
    await show()
    await userEvent.type(await open(), 'zzzzzz')
    expect(await screen.findAllByText(/Nothing found\. Try another word/)).not.toEqual([])
  })

  it('says that it is searching', async () => {
    await show({ [SEARCH]: () => new Promise<never>(() => undefined) })
    await userEvent.type(await open(), 'zzzzzz')
    expect(await screen.findAllByText('Searching…')).not.toEqual([])
    expect(screen.queryByText(/Nothing found/)).toBeNull()
  })

  it('says why the search failed, also beside what the page knows, and searches again on request', async () => {
    let isLimited = true
    const limited = () => refusal(429, 'RATE_LIMITED', 'Too many requests. Try again in 3 seconds.')
    await show({ [SEARCH]: () => (isLimited ? limited() : found({ payments: [payment(1)] })) })
    await userEvent.type(await open(), 'system')
    const why = /^Payments and people could not be searched\. Too many requests\. Try again in 3 seconds\.$/
    expect((await screen.findByText(why)).closest('[role=alert]')).not.toBeNull()
    expect(screen.getByRole('option', { name: /System health/ })).toBeDefined()
    expect(screen.queryByText(/Nothing found/)).toBeNull()
    isLimited = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('option', { name: /a@example\.com/ })).toBeDefined()
    expect(screen.queryByText(why)).toBeNull()
  })

  it('does not ask the server for an operator who may read none of it', async () => {
    const none = { ...me(), permissions: { install: ['project:read'], projects: {} } }
    const { calls } = await show({ 'GET /member/me': () => none })
    await userEvent.type(await open(), 'zzzzzz')
    expect(await screen.findAllByText(/Nothing found/)).not.toEqual([])
    expect(searchesIn(calls)).toEqual([])
  })
})

describe('over open overlays', () => {
  const over = async (layer: ReactNode) => {
    stubServer({ 'GET /member/me': () => me(), ...projects })
    const page = (
      <>
        {layer}
        <Page />
      </>
    )
    const history = renderScreen(page, '/project/7/dashboard')
    await screen.findByLabelText('Note')
    return history
  }
  const drawer = (onClose: () => void) => (
    <Drawer title="Payment" onClose={onClose}>
      <button type="button">Copy link</button>
    </Drawer>
  )

  it('opens above a drawer, closes alone, and gives the focus back into it', async () => {
    const onClose = vi.fn<() => void>()
    await over(drawer(onClose))
    await userEvent.click(screen.getByRole('button', { name: 'Copy link' }))
    const field = await open()
    expect(document.activeElement).toBe(field)
    fireEvent(screen.getByRole('dialog', { name: 'Command palette' }), new Event('cancel', { cancelable: true }))
    await vi.waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
    expect(onClose).not.toHaveBeenCalled()
    expect(document.activeElement?.textContent).toBe('Copy link')
  })

  it('has its keys over a drawer: the list of them, and the ways to pages', async () => {
    const history = await over(drawer(vi.fn<() => void>()))
    await userEvent.keyboard('?')
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined()
    await userEvent.click(within(screen.getByRole('dialog', { name: 'Keyboard shortcuts' })).getByLabelText('Close'))
    await userEvent.keyboard('gs')
    expect(history.location.href).toBe('/settings')
  })

  it('stays away from a dialog, which asks for an answer first', async () => {
    const history = await over(
      <Dialog title="Accept as paid?" onClose={vi.fn<() => void>()}>
        <button type="button">Accept</button>
      </Dialog>,
    )
    screen.getByRole('button', { name: 'Accept' }).focus()
    await userEvent.keyboard('{Control>}k{/Control}?gs')
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
    expect(history.location.pathname).toBe('/project/7/dashboard')
  })
})

describe('the list of keys', () => {
  it('is read by where the keys work', async () => {
    await show()
    await userEvent.click(document.body)
    await userEvent.keyboard('?')
    const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    const headings = dialog.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
    expect(headings).toEqual(['Everywhere', 'Go to', 'In a list'])
  })
})

describe('single keys', () => {
  it('navigate, but never while a text is typed', async () => {
    const { history } = await show()
    await userEvent.type(screen.getByLabelText('Note'), 'gs')
    expect(history.location.pathname).toBe('/project/7/dashboard')
    await userEvent.click(document.body)
    await userEvent.keyboard('gs')
    expect(history.location.href).toBe('/settings')
  })

  it('can be turned off', async () => {
    const { history } = await show()
    await userEvent.click(document.body)
    await userEvent.keyboard('?')
    await userEvent.click(await screen.findByRole('checkbox', { name: /Single-key shortcuts/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    await userEvent.keyboard('gs')
    expect(history.location.pathname).toBe('/project/7/dashboard')
  })
})
