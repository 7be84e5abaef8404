import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { me } from '../../testing/answers.ts'
import { cashier, roles } from '../../testing/member-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, type SentCall, stubServer } from '../../testing/stub-server.ts'
import { Roles } from './Roles.tsx'

// What opens over the page is loaded once; a busy machine takes its time.
beforeAll(async () => void (await import('./RoleEditor.tsx')))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

function show(answers: Answers = {}, role = 'root', address = '/settings/roles') {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    // A few of them: asking for roles and names in a large table takes seconds.
    'GET /roles': () => ({ roles: [...roles.filter(({ name }) => name === 'admin' || name === 'auditor'), cashier] }),
    ...answers,
  })
  renderScreen(<Roles />, address)
  return calls
}
const writes = (calls: readonly SentCall[]) => calls.filter(({ method }) => method !== 'GET')
const menuOf = async (role: string, name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${role}` }))
  return screen.findByRole('menuitem', { name: new RegExp(`^${name}`) })
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('Roles', () => {
  it('says in words what each role permits, and what a member with one role can do', async () => {
    show()
    const table = within(await screen.findByRole('table', { name: 'Permissions' }))
    expect(await table.findByText('Approve and reject payouts')).toBeDefined()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: /What can a member do/ }), 'Cashier')
    expect(table.queryByText('Approve and reject payouts')).toBeNull()
    expect(table.getByText('Create payment links')).toBeDefined()
  })

  it('shows nothing to change to who may only read', async () => {
    show({}, 'auditor')
    await screen.findByText('Creates links at the till.')
    expect(screen.queryByRole('button', { name: 'New role' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull()
  })

  it('makes a role: named, ticked, sent once', async () => {
    const calls = show({ 'POST /roles': () => ({ ...cashier, id: 101 }) })
    await userEvent.click(await screen.findByRole('button', { name: 'New role' }))
    const form = await dialog('New role')
    await userEvent.click(form.getByRole('button', { name: 'Create role' }))
    expect(form.getByText('Choose at least one permission')).toBeDefined()
    await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'Night shift')
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Name for programs' }).value).toBe('night_shift')
    await userEvent.click(form.getByRole('checkbox', { name: 'Create payment links' }))
    await userEvent.click(form.getByRole('button', { name: 'Create role' }))
    expect(await screen.findByText('Role created')).toBeDefined()
    expect(writes(calls)).toMatchObject([
      {
        path: '/roles',
        body: {
          name: 'night_shift',
          displayName: 'Night shift',
          description: '',
          scope: 'project',
          permissions: ['payment:create'],
        },
      },
    ])
  })

  it('leaves what changes the whole install out of a role of single projects, and says why', async () => {
    const calls = show({ 'POST /roles': () => ({ ...cashier, id: 101 }) })
    await userEvent.click(await menuOf('Admin', 'Copy'))
    const form = await dialog('New role')
    const box = () => form.getByRole<HTMLInputElement>('checkbox', { name: /^Change the configuration and templates/ })
    expect([box().checked, box().disabled]).toEqual([true, false])
    await userEvent.selectOptions(form.getByRole('combobox', { name: 'Held in' }), 'Single projects')
    expect([box().checked, box().disabled]).toEqual([false, true])
    expect(box().closest('label')?.textContent).toContain('Only in a role for the whole install')
    await userEvent.click(form.getByRole('button', { name: 'Create role' }))
    expect(await screen.findByText('Role created')).toBeDefined()
    expect(writes(calls)).toMatchObject([{ body: { permissions: expect.arrayContaining(['settings:read']) } }])
    expect(writes(calls)).not.toMatchObject([{ body: { permissions: expect.arrayContaining(['settings:write']) } }])
  })

  it('edits its own roles and copies any, says why a built-in one stays, and what refuses a deletion', async () => {
    const calls = show({
      'PUT /roles/100': () => cashier,
      'DELETE /roles/100': () => refusal(409, 'ROLE_IN_USE', 'Members still have this role.'),
    })
    expect((await menuOf('Admin', 'Edit')).getAttribute('aria-disabled')).toBe('true')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await menuOf('Cashier', 'Edit'))
    const form = await dialog('Edit Cashier')
    await userEvent.click(form.getByRole('checkbox', { name: 'Cancel an open link' }))
    await userEvent.click(form.getByRole('button', { name: 'Save role' }))
    expect(await screen.findByText('Role saved')).toBeDefined()
    expect(writes(calls)).toMatchObject([
      { body: { permissions: ['payment:read', 'payment:create', 'payment:cancel'] } },
    ])
    await userEvent.click(await menuOf('Auditor (read only)', 'Copy'))
    const copy = await dialog('New role')
    expect(copy.getByRole<HTMLInputElement>('textbox', { name: 'Name for programs' }).value).toBe('copy_of_auditor')
    await userEvent.click(copy.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(await menuOf('Cashier', 'Delete'))
    const asked = await dialog('Delete the role Cashier')
    await userEvent.click(asked.getByRole('button', { name: 'Delete role' }))
    expect(await asked.findByText('Members still have this role.')).toBeDefined()
  })

  it('gives back no permission that somebody else withdrew meanwhile', async () => {
    let stored: object = cashier
    const calls = show({ 'GET /roles': () => ({ roles: [stored] }), 'PUT /roles/100': () => cashier })
    await userEvent.click(await menuOf('Cashier', 'Edit'))
    const form = await dialog('Edit Cashier')
    await userEvent.type(form.getByRole('textbox', { name: 'Description' }), ' At night.')
    stored = { ...cashier, permissions: ['payment:read'] }
    await userEvent.click(form.getByRole('button', { name: 'Save role' }))
    expect(await form.findByText(/^Somebody else changed this role meanwhile\./)).toBeDefined()
    expect(writes(calls)).toEqual([])
  })

  it('takes what it stored itself for no change of somebody else, where the answer was lost', async () => {
    let stored: object = cashier
    let isLost = true
    const calls = show({
      'GET /roles': () => ({ roles: [stored] }),
      'PUT /roles/100': ({ body }) => {
        stored = { ...cashier, ...(body as object) }
        if (isLost) throw new TypeError('Failed to fetch')
        return stored
      },
    })
    await userEvent.click(await menuOf('Cashier', 'Edit'))
    const form = await dialog('Edit Cashier')
    await userEvent.type(form.getByRole('textbox', { name: 'Description' }), ' At night.')
    await userEvent.click(form.getByRole('button', { name: 'Save role' }))
    await form.findByText(/Try again\. It is safe/)
    isLost = false
    await userEvent.type(form.getByRole('textbox', { name: 'Description' }), ' And on Sundays.')
    await userEvent.click(form.getByRole('button', { name: 'Save role' }))
    expect(await screen.findByText('Role saved')).toBeDefined()
    expect(writes(calls).at(-1)?.body).toMatchObject({
      description: 'Creates links at the till. At night. And on Sundays.',
    })
  })

  it('says why the roles did not come', async () => {
    show({ 'GET /roles': () => refusal(503, 'SERVICE_UNAVAILABLE', 'The server is starting.') })
    expect(await screen.findByText('The server is starting.')).toBeDefined()
  })
})
