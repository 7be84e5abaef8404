import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me } from '../../../testing/answers.ts'
import { attentionAnswer } from '../../../testing/attention-answers.ts'
import { books } from '../../../testing/install-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers } from '../../../testing/stub-server.ts'
import { SidebarFoot } from './SidebarFoot.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const ATTENTION = 'GET /project/all/attention'
const alarm = (id: number) => ({ id, kind: 'chain_behind', subject: 'BASE', params: null, text: 'Behind.', since: AT })
const may = (...install: string[]) => ({ ...me(), permissions: { install, projects: {} } })

function show(answers: Answers, isCollapsed = false) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    [ATTENTION]: () => attentionAnswer(),
    'GET /ledger/check': () => books(),
    ...answers,
  })
  renderScreen(<SidebarFoot isCollapsed={isCollapsed} />, '/')
  return calls
}

describe('SidebarFoot', () => {
  it('says that the books balance and since when, and leads to the system', async () => {
    show({})
    const link = await screen.findByRole('link', { name: /^Books balance/ })
    expect(link.textContent).toMatch(/^Books balance, checked \d+\u00a0s ago$/)
    expect(link.getAttribute('href')).toBe('/settings/system')
    expect(screen.queryByText(/need/)).toBeNull()
  })

  it('says that the books don’t balance', async () => {
    show({ 'GET /ledger/check': () => books({ ok: false }) })
    expect(await screen.findByRole('link', { name: /^Books don’t balance.*checked/ })).toBeDefined()
    expect(screen.queryByText(/Books balance/)).toBeNull()
  })

  it('does not say that they balance when the server did not answer', async () => {
    show({ 'GET /ledger/check': () => refusal(503, 'SERVICE_UNAVAILABLE', 'Later.') })
    expect(await screen.findByText('Books: no answer')).toBeDefined()
  })

  it('counts what needs a person', async () => {
    show({ [ATTENTION]: () => attentionAnswer({ alarms: [alarm(1), alarm(2)] }) })
    expect(await screen.findByRole('link', { name: '2 alarms need you' })).toBeDefined()
    cleanup()
    show(
      { [ATTENTION]: () => attentionAnswer({ alarms: Array.from({ length: 100 }, (_, at) => alarm(at + 1)) }) },
      true,
    )
    expect(await screen.findByRole('link', { name: '99+ alarms need you' })).toBeDefined()
  })

  it('shows and asks only what the operator may read', async () => {
    const calls = show({ 'GET /member/me': () => may('ledger:read') })
    expect(await screen.findByText(/Books balance/)).toBeDefined()
    // Without system:read the page behind it would only refuse.
    expect(screen.queryByRole('link')).toBeNull()
    expect(calls.map(({ path }) => path)).not.toContain('/project/all/attention')
    cleanup()
    const others = show({ 'GET /member/me': () => may('payment:read') })
    await vi.waitFor(() => expect(others).toHaveLength(1))
    expect(screen.queryByText(/Books/)).toBeNull()
  })
})
