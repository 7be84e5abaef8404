import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../../testing/stub-server.ts'
import { ProjectSettings } from '../ProjectSettings.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

function show(answers: Answers = {}, role = 'root') {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /external-platform/7': () => project(7, 'Acme'),
    ...answers,
  })
  const history = renderScreen(<ProjectSettings projectId="7" />, '/settings/account/7?tab=danger')
  return { calls, history }
}

describe('archiving a project', () => {
  it('names what it brings about, wants the name typed, and leads away', async () => {
    const { calls, history } = show({
      'POST /external-platform/7/archive': () => project(7, 'Acme', { status: 'archived' }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Archive project' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Archive Acme?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Archive project' }))
    expect(await screen.findByText('Type Acme to confirm', { selector: '[role=alert], p, span' })).toBeDefined()
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    await userEvent.type(dialog.getByLabelText('Type Acme to confirm'), 'Acme')
    await userEvent.click(dialog.getByRole('button', { name: 'Archive project' }))
    expect(await screen.findByText('Acme is archived')).toBeDefined()
    expect(history.location.href).toBe('/settings')
  })

  it('keeps the dialog open with what the server refuses', async () => {
    show({ 'POST /external-platform/7/archive': () => refusal(403, 'FORBIDDEN', 'You need the permission.') })
    await userEvent.click(await screen.findByRole('button', { name: 'Archive project' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Type Acme to confirm'), 'Acme')
    await userEvent.click(dialog.getByRole('button', { name: 'Archive project' }))
    expect(await dialog.findByText(/You need the permission\./)).toBeDefined()
  })

  it('has no tab for those who may not', async () => {
    show({}, 'project_manager')
    await screen.findByRole('tab', { name: 'Project details' })
    expect(screen.queryByRole('tab', { name: 'Archive' })).toBeNull()
  })
})
