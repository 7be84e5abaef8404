import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me, project } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../testing/stub-server.ts'
import type { Answers } from '../../testing/stub-server.ts'
import { Developers } from './Developers.tsx'

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
  return renderScreen(<Developers />, `/developers?tabId=events&projectId=7${more}`)
}

const EVENTS = 'GET /external-platform/7/events'

describe('EventLog', () => {
  it('says what to do while nothing has happened', async () => {
    show({ [EVENTS]: () => ({ data: [], nextCursor: null }) })
    expect(await screen.findByText('Nothing has happened yet')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Later events' })).toBeNull()
  })

  it('shows an event as it is kept', async () => {
    const history = show({ [EVENTS]: () => ({ data: [event('evt_1')], nextCursor: 'further' }) })
    const link = await screen.findByRole('link', { name: 'payment.filled' })
    expect(screen.getByTitle(REFERENCE).textContent).toBe('…000001')
    await userEvent.click(link)
    expect(history.location.search).toContain('shown=evt_1')
    const drawer = within(await screen.findByRole('dialog', { name: 'payment.filled' }))
    expect(drawer.getByRole('group', { name: 'payload' }).textContent).toContain(`"reference_id": "${REFERENCE}"`)
    await userEvent.click(drawer.getByRole('button', { name: 'Close' }))
    expect(history.location.search).not.toContain('shown')
  })

  it('goes on where a full page ends, and back to the start', async () => {
    const history = show({ [EVENTS]: () => feed(50) })
    await userEvent.click(await screen.findByRole('button', { name: 'Later events' }))
    expect(history.location.search).toContain('cursor=further')
    await userEvent.click(await screen.findByRole('button', { name: 'From the start' }))
    expect(history.location.search).not.toContain('cursor')
  })

  it('waits at the end for what comes', async () => {
    show({ [EVENTS]: () => feed(3) })
    expect(await screen.findByText(/New events appear here by themselves/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Later events' })).toBeNull()
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
    show({ [EVENTS]: () => refusal(400, 'CURSOR_INVALID', 'This page is no longer valid. Start again.') }, '&cursor=x')
    expect(await screen.findByText('This page is no longer valid. Start again.')).toBeDefined()
    expect(screen.getByRole('combobox', { name: 'Event' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'From the start' })).toBeDefined()
  })
})
