import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me } from '../../../testing/answers.ts'
import { wirePage } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { PaymentViews } from './PaymentViews.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const VIEWS = '/project/7/shared-view'
const ADDRESS = '/project/7/payments/allPayments'

const shared = (id: number, name: string, more: object = {}) => ({
  id,
  externalPlatformID: 7,
  screen: 'payments',
  name,
  search: { amount: '1000..' },
  layout: {},
  sharedBy: { memberID: 2, email: 'olga@shop.example' },
  mayChange: true,
  updatedAt: AT,
  ...more,
})

/** The views of a project as they are stored now. */
function show(views: object[], { address = ADDRESS, isFull = false } = {}) {
  let stored = views
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /external-platform/7/missed-deposit': () => ({ data: [], total: 0, limit: 1, offset: 0, nextCursor: null }),
    'POST /external-platform/7/payment/search': () => wirePage([]),
    [`GET ${VIEWS}`]: () => stored,
    [`POST ${VIEWS}`]: ({ body }) => {
      if (isFull)
        return refusal(409, 'SHARED_VIEW_LIMIT', 'A project can share 50 views of a screen. Delete one first.')
      const made = shared(5, 'x', { ...(body as object) })
      stored = [...stored, made]
      return Response.json(made, { status: 201 })
    },
    [`PATCH ${VIEWS}/4`]: ({ body }) => {
      const changed = shared(4, 'Big ones', body as object)
      stored = [changed]
      return changed
    },
    [`DELETE ${VIEWS}/4`]: () => {
      stored = []
      return { message: 'Shared view deleted.' }
    },
  })
  const history = renderScreen(<PaymentViews projectId="7" />, address)
  const sent = (method: string) => calls.filter((call) => call.method === method && call.path.startsWith(VIEWS))
  return { history, sent }
}
const storeOwn = () =>
  localStorage.setItem(
    'payments:1',
    JSON.stringify({
      views: [{ id: 'own', name: 'Mine', search: { status: 'LATE,FILLED' }, layout: {} }],
      layouts: {},
    }),
  )
const menuItem = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'View' }))
  return screen.findByRole('menuitem', { name: new RegExp(`^${name}`), hidden: true })
}

describe('views shared in a project', () => {
  it('stand after the own ones, say who shared them, and open what they hold', async () => {
    const { history } = show([shared(4, 'Big ones')])
    const link = await screen.findByRole('link', { name: 'Big ones shared by olga@shop.example' })
    await userEvent.click(link)
    expect(history.location.href).toBe(`${ADDRESS}?view=shared-4&amount=1000..`)
    expect(await screen.findByRole('button', { name: 'View' })).toBeDefined()
  })

  it('come of an own view, which then is no longer kept on the device', async () => {
    storeOwn()
    const { history, sent } = show([], { address: `${ADDRESS}?view=own&status=LATE,FILLED` })
    await userEvent.click(await menuItem('Share in the project'))
    expect(await screen.findByRole('link', { name: /^Mine shared by/ })).toBeDefined()
    expect(sent('POST').map(({ body }) => body)).toEqual([
      { screen: 'payments', name: 'Mine', search: { status: 'LATE,FILLED' }, layout: {} },
    ])
    expect(history.location.href).toContain('view=shared-5')
    expect(localStorage.getItem('payments:1')).not.toContain('Mine')
  })

  it('keep the own view where sharing is refused, and say why', async () => {
    storeOwn()
    show([], { address: `${ADDRESS}?view=own&status=LATE,FILLED`, isFull: true })
    await userEvent.click(await menuItem('Share in the project'))
    expect(await screen.findByText('A project can share 50 views of a screen. Delete one first.')).toBeDefined()
    expect(localStorage.getItem('payments:1')).toContain('Mine')
  })

  it('are changed, renamed and deleted for everybody by who may', async () => {
    const address = `${ADDRESS}?view=shared-4&amount=1000..&status=FILLED`
    const { history, sent } = show([shared(4, 'Big ones')], { address })
    await userEvent.click(await menuItem('Save changes'))
    await waitFor(() => expect(sent('PATCH')).toHaveLength(1))
    expect(sent('PATCH')[0]?.body).toEqual({ search: { amount: '1000..', status: 'FILLED' }, layout: {} })
    await userEvent.click(await menuItem('Rename'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename view' }))
    expect(dialog.getByText('The view is shared in the project.')).toBeDefined()
    await userEvent.clear(dialog.getByRole('textbox', { name: 'Name' }))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Large')
    await userEvent.click(dialog.getByRole('button', { name: 'Save view' }))
    await waitFor(() => expect(sent('PATCH')[1]?.body).toEqual({ name: 'Large' }))
    await userEvent.click(await menuItem('Delete for everybody'))
    await waitFor(() => expect(screen.queryByRole('link', { name: /shared by/ })).toBeNull())
    expect(history.location.href).not.toContain('view=')
  })

  it('are only used by the others, who save a view of their own', async () => {
    const address = `${ADDRESS}?view=shared-4&amount=1000..&status=FILLED`
    show([shared(4, 'Big ones', { mayChange: false })], { address })
    for (const name of ['Save changes', 'Rename', 'Delete for everybody']) {
      expect((await menuItem(name)).getAttribute('aria-disabled')).toBe('true')
    }
    expect((await menuItem('Save as a new view')).getAttribute('aria-disabled')).not.toBe('true')
  })
})
