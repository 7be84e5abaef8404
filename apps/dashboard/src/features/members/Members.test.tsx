import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { AT, me, project } from '../../testing/answers.ts'
import { member, memberPage, roles } from '../../testing/member-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, type SentCall, stubServer } from '../../testing/stub-server.ts'
import { Members } from './Members.tsx'

// What opens over the page is loaded once; a busy machine takes its time.
beforeAll(async () => void (await import('./MemberDialogs.tsx')))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const ROOT = { ...me(), memberExternalPlatformRoles: [held(1, null)] }
const LEAD = { ...me('project_lead'), memberExternalPlatformRoles: [held(4, 7)] }
const OLGA = member(2, 'olga@shop.example', 6, 7, { name: 'Olga' })
const MAX = member(3, 'max@shop.example', 9, null)

function held(roleID: number, externalPlatformID: number | null) {
  return { createdAt: AT, memberID: 1, externalPlatformID, roleID }
}

function show(answers: Answers = {}, who: object = ROOT, address = '/settings/members') {
  const calls = stubServer({
    'GET /member/me': () => who,
    'GET /external-platform/all': () => [project(7, 'Acme'), project(8, 'Beta')],
    'GET /external-platform/details': () => [],
    'GET /roles': () => ({ roles }),
    'POST /internalMembers': () => memberPage([member(1, 'ada@shop.example', 1, null), OLGA, MAX]),
    ...answers,
  })
  renderScreen(<Members />, address)
  return calls
}
const writes = (calls: readonly SentCall[]) =>
  calls.filter(({ method, path }) => method !== 'GET' && path !== '/internalMembers')
const openMenu = async (email: string) =>
  userEvent.click(await screen.findByRole('button', { name: `Actions for ${email}` }))
const item = (name: string) => screen.findByRole('menuitem', { name: new RegExp(`^${name}`) })
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('Members', () => {
  it('lists members with the roles they hold and where', async () => {
    show()
    const table = within(await screen.findByRole('table', { name: 'Members' }))
    expect(await table.findByText('olga@shop.example')).toBeDefined()
    expect(await table.findByText('Project Ops')).toBeDefined()
    expect(table.getByText('Acme')).toBeDefined()
    expect(table.getByText('Auditor (read only)')).toBeDefined()
    expect(table.getAllByText('Whole install')).toHaveLength(2)
  })

  it('asks the server for what the address narrows the list to', async () => {
    const calls = show({}, ROOT, '/settings/members?query=ol&state=active,nonsense&role=6&project=7&sortBy=email')
    await screen.findByText('olga@shop.example')
    expect(calls.findLast(({ path }) => path === '/internalMembers')?.body).toEqual({
      limit: 50,
      query: 'ol',
      state: ['active'],
      role: ['6'],
      externalPlatformIds: ['7'],
      sortBy: 'email',
    })
  })

  it('says what a second member is for while there is one', async () => {
    show({ 'POST /internalMembers': () => memberPage([member(1, 'ada@shop.example', 1, null)]) })
    expect(await screen.findByText('Only you. Add someone so payouts can have two approvals.')).toBeDefined()
  })

  it('says that nothing matches, and why nothing came', async () => {
    show({ 'POST /internalMembers': () => memberPage([]) }, ROOT, '/settings/members?query=nobody')
    expect(await screen.findByText('No member matches')).toBeDefined()
    cleanup()
    show({ 'POST /internalMembers': () => refusal(403, 'FORBIDDEN', 'You need the permission operator:read in Acme.') })
    expect(await screen.findByText('You need the permission operator:read in Acme.')).toBeDefined()
  })

  it('invites a member, and shows the link where no mail can be sent', async () => {
    const url = 'http://localhost:8080/setPassword?resetPasswordToken=abc'
    const calls = show({
      'POST /member': () => ({
        member: member(4, 'new@shop.example', 6, 7, { state: 'invited' }),
        invitation: { url, expiresAt: '2099-01-01T00:00:00.000Z' },
      }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Invite member' }))
    const form = await dialog('Invite member')
    await userEvent.click(form.getByRole('button', { name: 'Send invitation' }))
    expect(form.getByText('E-mail is required')).toBeDefined()
    await userEvent.type(form.getByRole('textbox', { name: 'E-mail' }), ' new@shop.example ')
    await userEvent.selectOptions(form.getByRole('combobox', { name: 'Role' }), 'Project Ops')
    await userEvent.click(form.getByRole('button', { name: 'Send invitation' }))
    expect(form.getByText('Choose at least one project.')).toBeDefined()
    await userEvent.click(form.getByRole('checkbox', { name: 'Acme' }))
    await userEvent.click(form.getByRole('button', { name: 'Send invitation' }))
    const shown = await dialog('Link for new@shop.example')
    expect(shown.getByLabelText('Link').textContent).toBe(url)
    expect(writes(calls)).toMatchObject([
      { path: '/member', body: { email: 'new@shop.example', roleID: 6, projectIDs: [7] } },
    ])
  })

  it('changes the role of who also works in an archived project, and says that this one goes too', async () => {
    const both = { ...OLGA, memberExternalPlatformRoles: [held(6, 7), held(6, 9)] }
    const calls = show({
      'POST /internalMembers': () => memberPage([both]),
      'PUT /member/2/roles': () => ({ roles: [] }),
    })
    await openMenu('olga@shop.example')
    await userEvent.click(await item('Change role'))
    const form = await dialog('Change the role of olga@shop.example')
    expect(form.getByText(/a project that is not listed here/)).toBeDefined()
    await userEvent.selectOptions(form.getByRole('combobox', { name: 'Role' }), 'Project Manager')
    await userEvent.click(form.getByRole('button', { name: 'Change role' }))
    expect(await screen.findByText('Role changed')).toBeDefined()
    expect(writes(calls)).toMatchObject([{ path: '/member/2/roles', body: { roleID: 5, projectIDs: [7] } }])
  })

  it('keeps what was typed when the server refuses, at its field', async () => {
    const text = 'Someone with this e-mail is already a member.'
    show({ 'POST /member': () => refusal(409, 'MEMBER_EXISTS', text, { fields: { email: text } }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Invite member' }))
    const form = await dialog('Invite member')
    await userEvent.type(form.getByRole('textbox', { name: 'E-mail' }), 'olga@shop.example')
    await userEvent.selectOptions(form.getByRole('combobox', { name: 'Role' }), 'Auditor (read only)')
    await userEvent.click(form.getByRole('radio', { name: 'The whole install' }))
    await userEvent.click(form.getByRole('button', { name: 'Send invitation' }))
    expect(await form.findByText(text)).toBeDefined()
  })

  it('changes the role, revokes after saying what follows, removes after the e-mail was typed', async () => {
    const answer = () => ({ member: OLGA })
    const calls = show({
      'PUT /member/2/roles': () => ({ roles: [] }),
      'POST /member/2/revokeAccess': answer,
      'DELETE /member/2': () => ({ message: 'Member deleted.' }),
    })
    await openMenu('olga@shop.example')
    await userEvent.click(await item('Change role'))
    const form = await dialog('Change the role of olga@shop.example')
    await userEvent.selectOptions(form.getByRole('combobox', { name: 'Role' }), 'Project Manager')
    await userEvent.click(form.getByRole('button', { name: 'Change role' }))
    expect(await screen.findByText('Role changed')).toBeDefined()

    await openMenu('olga@shop.example')
    await userEvent.click(await item('Revoke access'))
    const asked = await dialog('Revoke the access of olga@shop.example')
    await userEvent.click(asked.getByRole('button', { name: 'Revoke access' }))
    expect(await screen.findByText('Access revoked')).toBeDefined()

    await openMenu('olga@shop.example')
    await userEvent.click(await item('Remove'))
    const typed = await dialog('Remove olga@shop.example')
    await userEvent.type(typed.getByRole('textbox'), 'olga{Enter}')
    expect(writes(calls)).toHaveLength(2)
    await userEvent.clear(typed.getByRole('textbox'))
    await userEvent.type(typed.getByRole('textbox'), 'olga@shop.example{Enter}')
    expect(await screen.findByText('Member removed')).toBeDefined()
    expect(writes(calls)).toMatchObject([
      { method: 'PUT', path: '/member/2/roles', body: { roleID: 5, projectIDs: [7] } },
      { method: 'POST', path: '/member/2/revokeAccess' },
      { method: 'DELETE', path: '/member/2' },
    ])
  })

  it('says that a role takes the place of all others where there are several', async () => {
    const both = [held(6, 7), held(5, 8)]
    show({ 'POST /internalMembers': () => memberPage([OLGA, { ...MAX, memberExternalPlatformRoles: both }]) })
    const text = /They hold several roles\. The one you choose here takes the place of all of them\./
    await openMenu('max@shop.example')
    await userEvent.click(await item('Change role'))
    const form = await dialog('Change the role of max@shop.example')
    expect(form.getByText(text)).toBeDefined()
    await userEvent.click(form.getByRole('button', { name: 'Cancel' }))
    await openMenu('olga@shop.example')
    await userEvent.click(await item('Change role'))
    expect((await dialog('Change the role of olga@shop.example')).queryByText(text)).toBeNull()
  })

  it('gives access back, sends an invitation again, and says why it could not', async () => {
    const invited = member(5, 'ivan@shop.example', 6, 7, { state: 'invited' })
    const gone = member(6, 'gone@shop.example', 6, 7, { state: 'inactive' })
    show({
      'POST /internalMembers': () => memberPage([invited, gone]),
      'POST /member/6/activate': () => ({ member: gone }),
      'POST /member/5/invite': () => refusal(503, 'SITE_URL_MISSING', 'The site URL is not set.'),
    })
    await openMenu('gone@shop.example')
    await userEvent.click(await item('Activate'))
    expect(await screen.findByText('Access given back')).toBeDefined()
    await openMenu('ivan@shop.example')
    await userEvent.click(await item('Send again'))
    expect(await screen.findByText(/The site URL is not set\./)).toBeDefined()
  })

  it('makes a reset link for the own password, and signs out everywhere', async () => {
    const url = 'http://localhost:8080/createPassword?resetPasswordToken=abc'
    const calls = show({
      'POST /member/2/reset-link': () => ({ url, expiresAt: '2099-01-01T00:00:00.000Z' }),
      'GET /member/2/sessions': () => [],
    })
    await openMenu('olga@shop.example')
    await userEvent.click(await item('Reset link'))
    const form = await dialog('Reset link for olga@shop.example')
    await userEvent.type(form.getByLabelText('Your own password'), 'Secret.Horse9{Enter}')
    const shown = await dialog('Link for olga@shop.example')
    expect(shown.getByLabelText('Link').textContent).toBe(url)
    expect(writes(calls)).toMatchObject([{ body: { password: 'Secret.Horse9' } }])
    await userEvent.click(shown.getByRole('button', { name: 'Done' }))
    await openMenu('olga@shop.example')
    await userEvent.click(await item('Signed-in devices'))
    expect(await screen.findByText('Not signed in anywhere.')).toBeDefined()
  })

  it('says to a lead who is above them, and offers the roles they may give', async () => {
    show({}, LEAD)
    await openMenu('max@shop.example')
    expect(await screen.findAllByText('You cannot manage this role.')).not.toEqual([])
    cleanup()
    show({}, LEAD)
    await userEvent.click(await screen.findByRole('button', { name: 'Invite member' }))
    const form = await dialog('Invite member')
    await vi.waitFor(() =>
      expect(
        within(form.getByRole('combobox', { name: 'Role' }))
          .getAllByRole('option')
          .map(({ textContent }) => textContent),
      ).toEqual(['Choose a role', 'Project Manager', 'Project Ops']),
    )
  })

  it('sends of an edited member only what is different, and says beside its field what is taken', async () => {
    let isTaken = true
    const taken = 'Another member has this e-mail.'
    const calls = show({
      'PUT /member/2': () => (isTaken ? refusal(409, 'MEMBER_EXISTS', taken, { fields: { email: taken } }) : OLGA),
    })
    await openMenu('olga@shop.example')
    await userEvent.click(await item('Edit'))
    const form = await dialog('Edit olga@shop.example')
    const email = form.getByRole('textbox', { name: /^E-mail/ })
    await userEvent.clear(email)
    await userEvent.type(email, 'max@shop.example')
    await userEvent.click(form.getByRole('button', { name: 'Save changes' }))
    expect(await form.findByText(taken)).toBeDefined()
    isTaken = false
    await userEvent.type(email, '.org')
    await userEvent.click(form.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Member saved')).toBeDefined()
    expect(writes(calls).map(({ body }) => body)).toEqual([
      { email: 'max@shop.example' },
      { email: 'max@shop.example.org' },
    ])
  })
})
