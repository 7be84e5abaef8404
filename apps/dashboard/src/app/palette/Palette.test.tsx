import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { Commands, useCommandKeys } from './Commands.tsx'
import { me, project } from '../../testing/answers.ts'
import { wirePage as promoterPage } from '../../testing/growth-answers.ts'
import { member, memberPage } from '../../testing/member-answers.ts'
import { paymentRow, reference, wirePage } from '../../testing/payment-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
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
  'POST /internalMembers': () => memberPage([]),
  'GET /external-platform/7/referral/referrers': () => promoterPage([]),
}

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
    const olga = member(2, 'olga@shop.example', 6, 7, { name: 'Olga' })
    const { calls, history } = await show({ 'POST /internalMembers': () => memberPage([olga]) })
    await userEvent.type(await open(), 'olga')
    await screen.findByRole('option', { name: /olga@shop\.example/, selected: true })
    expect(calls.find(({ path }) => path === '/internalMembers')?.body).toMatchObject({ query: expect.any(String) })
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
    const rows = [
      paymentRow({ id: 1, referenceId: reference(1), paymentStatus: 'FILLED', fundingState: 'confirmed' }),
      paymentRow({ id: 2, referenceId: reference(2) }),
    ]
    await show({ 'POST /external-platform/7/payment/search': () => wirePage(rows) })
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

  it('says when nothing is found', async () => {
    await show({
      'POST /external-platform/7/payment/search': () => ({
        data: [],
        totalCount: 0,
        attributes: [],
        nextCursor: null,
        prevCursor: null,
        totalIsEstimate: false,
      }),
    })
    await userEvent.type(await open(), 'zzzzzz')
    expect(await screen.findAllByText(/Nothing found\. Try another word/)).not.toEqual([])
  })

  it('does not report an empty result where the search failed', async () => {
    await show({
      'POST /external-platform/7/payment/search': () =>
        refusal(503, 'SERVICE_UNAVAILABLE', 'The database does not answer.'),
    })
    await userEvent.type(await open(), 'zzzzzz')
    expect(
      await screen.findAllByText(/^The search couldn’t be completed\./, undefined, { timeout: 8_000 }),
    ).not.toEqual([])
    expect(screen.queryByText(/Nothing found/)).toBeNull()
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
  const payment = (onClose: () => void) => (
    <Drawer title="Payment" onClose={onClose}>
      <button type="button">Copy link</button>
    </Drawer>
  )

  it('opens above a drawer, closes alone, and gives the focus back into it', async () => {
    const onClose = vi.fn<() => void>()
    await over(payment(onClose))
    await userEvent.click(screen.getByRole('button', { name: 'Copy link' }))
    const field = await open()
    expect(document.activeElement).toBe(field)
    fireEvent(screen.getByRole('dialog', { name: 'Command palette' }), new Event('cancel', { cancelable: true }))
    await vi.waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
    expect(onClose).not.toHaveBeenCalled()
    expect(document.activeElement?.textContent).toBe('Copy link')
  })

  it('has its keys over a drawer: the list of them, and the ways to pages', async () => {
    const history = await over(payment(vi.fn<() => void>()))
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
