import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me, project } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import type { Answers, SentCall } from '../../../testing/stub-server.ts'
import { Developers } from '../Developers.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const KEY = 'kp_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH'
const apiKey = (id: number, name: string, more: object = {}) => ({
  id,
  createdAt: AT,
  updatedAt: AT,
  name,
  description: '',
  status: 'active',
  keyPrefix: 'kp_test_0123',
  last4: 'EFGH',
  externalPlatformID: 7,
  roleID: 3,
  role: { name: 'platform_admin' },
  memberID: 1,
  scopes: ['payment:create', 'payment:read'],
  allowedIPs: [],
  expiresAt: null,
  lastUsedAt: null,
  lastUsedIP: null,
  previousKeyUntil: null,
  usedByWebhook: false,
  ...more,
})
const base = (keys: readonly object[]): Answers => ({
  'GET /member/me': () => me(),
  'GET /external-platform/all': () => [project(7, 'Acme'), project(8, 'Beta')],
  'GET /external-platform/details': () => [],
  'GET /external-platform/all/api-key': () => keys,
  'GET /external-platform/7/api-key': () => keys,
})
const writes = (calls: readonly SentCall[]) => calls.filter(({ method }) => method !== 'GET')
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

/** Presses an entry of a key's menu; happy-dom shows popovers at all times. */
async function choose(name: string, entry: string) {
  const menu = within(await screen.findByRole('menu', { name: `Actions for ${name}`, hidden: true }))
  await userEvent.click(menu.getByRole('menuitem', { name: entry, hidden: true }))
}

describe('ApiKeys', () => {
  it('says what a key is for while there is none', async () => {
    stubServer(base([]))
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?tabId=apiKeys')
    expect(await screen.findByText('A key lets your shop create payments.')).toBeDefined()
    expect(screen.getByRole('tab', { name: 'API keys', selected: true })).toBeDefined()
  })

  it('lists keys of all projects by name, never with their value', async () => {
    stubServer(base([apiKey(1, 'Shop server'), apiKey(2, 'Old one', { status: 'inactive' })]))
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers')
    const table = within(await screen.findByRole('table', { name: 'API keys' }))
    expect(await table.findByRole('rowheader', { name: 'Shop server' })).toBeDefined()
    expect(table.getAllByText('Acme')).toHaveLength(2)
    expect(table.getByText('Off')).toBeDefined()
    expect(table.getByText('Never used')).toBeDefined()
    expect(table.getAllByRole('button', { name: /^Actions for/ })).toHaveLength(2)
  })

  it('shows a new key once and closes only when it is saved', async () => {
    const calls = stubServer({
      ...base([]),
      'POST /external-platform/7/api-key': () => ({ ...apiKey(3, 'Shop server'), key: KEY }),
    })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?projectId=7')
    await userEvent.click(await screen.findByRole('button', { name: 'Create API key' }))
    const form = await dialog('Create an API key')
    await userEvent.click(form.getByRole('button', { name: 'Create API key' }))
    expect(form.getByText('Name is required')).toBeDefined()
    await userEvent.type(form.getByRole('textbox', { name: 'Name' }), ' Shop server ')
    await userEvent.click(form.getByRole('button', { name: 'Create API key' }))
    const shown = await dialog('Copy your key now')
    expect(writes(calls)).toMatchObject([
      { path: '/external-platform/7/api-key', body: { name: 'Shop server', preset: 'merchant', expiresAt: null } },
    ])
    expect(shown.getByLabelText('API key').textContent).toBe(KEY)
    expect(shown.getByRole('group', { name: 'curl example' }).textContent).toContain(`-H 'API-Key: ${KEY}'`)

    await userEvent.click(shown.getByRole('button', { name: 'Close' }))
    expect(shown.getByText(/^Save it first/)).toBeDefined()
    await userEvent.click(shown.getByRole('button', { name: 'Done' }))
    expect(shown.getByText(/^Save it first/)).toBeDefined()
    await userEvent.click(shown.getByRole('checkbox', { name: 'I have saved it' }))
    await userEvent.click(shown.getByRole('button', { name: 'Done' }))
    expect(document.body.innerHTML).not.toContain(KEY)
  })

  it('says that a replayed answer has no key to show', async () => {
    stubServer({ ...base([]), 'POST /external-platform/7/api-key': () => ({ ...apiKey(3, 'Shop'), key: null }) })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?projectId=7')
    await userEvent.click(await screen.findByRole('button', { name: 'Create API key' }))
    const form = await dialog('Create an API key')
    await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'Shop')
    await userEvent.click(form.getByRole('button', { name: 'Create API key' }))
    expect((await dialog('Copy your key now')).getByText(/^Already shown once/)).toBeDefined()
  })

  it('keeps what was typed when the server refuses', async () => {
    stubServer({
      ...base([]),
      'POST /external-platform/7/api-key': () => refusal(409, 'API_KEY_LIMIT', 'A project can have 20 active keys.'),
    })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?projectId=7')
    await userEvent.click(await screen.findByRole('button', { name: 'Create API key' }))
    const form = await dialog('Create an API key')
    await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'Shop')
    await userEvent.click(form.getByRole('button', { name: 'Create API key' }))
    expect((await form.findByRole('alert')).textContent).toContain('A project can have 20 active keys.')
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Shop')
  })

  it('revokes a key only after its name was typed', async () => {
    const calls = stubServer({
      ...base([apiKey(1, 'Shop server')]),
      'DELETE /external-platform/7/api-key/1': () => ({ message: 'Revoked.' }),
    })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?projectId=7')
    await choose('Shop server', 'Revoke')
    const asked = await dialog('Revoke “Shop server”')
    await userEvent.type(asked.getByRole('textbox'), 'shop{Enter}')
    expect(asked.getByText('Type Shop server to confirm', { selector: 'p' })).toBeDefined()
    expect(writes(calls)).toEqual([])
    await userEvent.clear(asked.getByRole('textbox'))
    await userEvent.type(asked.getByRole('textbox'), 'Shop server{Enter}')
    expect(await screen.findByText('API key revoked')).toBeDefined()
    expect(writes(calls)).toMatchObject([{ method: 'DELETE', path: '/external-platform/7/api-key/1' }])
  })

  it('sends of an edited key only what is different', async () => {
    const calls = stubServer({
      ...base([apiKey(1, 'Shop server', { allowedIPs: ['203.0.113.7/32'], expiresAt: AT })]),
      'PUT /external-platform/7/api-key/1': () => apiKey(1, 'Shop server'),
    })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?projectId=7')
    await choose('Shop server', 'Edit')
    const form = await dialog('Edit “Shop server”')
    await userEvent.click(form.getByRole('checkbox', { name: 'payment:create' }))
    const addresses = form.getByRole<HTMLTextAreaElement>('textbox', { name: /^Allowed addresses/ })
    expect(addresses.value).toBe('203.0.113.7')
    await userEvent.type(addresses, '{Enter}10.0.0.0/8')
    await userEvent.click(form.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('API key saved')).toBeDefined()
    expect(writes(calls)).toMatchObject([
      {
        path: '/external-platform/7/api-key/1',
        body: { scopes: ['payment:read'], allowedIPs: ['203.0.113.7', '10.0.0.0/8'] },
      },
    ])
    expect(Object.keys(writes(calls)[0]?.body ?? {})).toEqual(['scopes', 'allowedIPs'])
  })

  it('says beside its field which network the server does not take', async () => {
    const text = 'Allowed IPs must be addresses or networks such as 203.0.113.0/24'
    stubServer({
      ...base([apiKey(1, 'Shop server')]),
      'PUT /external-platform/7/api-key/1': () =>
        refusal(400, 'VALIDATION_FAILED', text, { fields: { allowedIPs: text } }),
    })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?projectId=7')
    await choose('Shop server', 'Edit')
    const form = await dialog('Edit “Shop server”')
    const addresses = form.getByRole<HTMLTextAreaElement>('textbox', { name: /^Allowed addresses/ })
    await userEvent.type(addresses, 'everywhere')
    await userEvent.click(form.getByRole('button', { name: 'Save changes' }))
    expect(await form.findByText(text)).toBeDefined()
    expect(addresses.value).toBe('everywhere')
  })

  it('shows the value of a rotated key once', async () => {
    const calls = stubServer({
      ...base([apiKey(1, 'Shop server')]),
      'POST /external-platform/7/api-key/1/rotate': () => ({ ...apiKey(1, 'Shop server'), key: KEY }),
    })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?projectId=7')
    await choose('Shop server', 'Rotate')
    const asked = await dialog('Rotate “Shop server”?')
    await userEvent.selectOptions(asked.getByRole('combobox'), 'Stop the old one at once')
    await userEvent.click(asked.getByRole('button', { name: 'Make a new key' }))
    const shown = await dialog('Copy your key now')
    expect(shown.getByLabelText('API key').textContent).toBe(KEY)
    expect(writes(calls)).toMatchObject([{ path: '/external-platform/7/api-key/1/rotate', body: { overlapHours: 0 } }])
  })

  it('turns a key off after a question, and says why it could not', async () => {
    const calls = stubServer({
      ...base([apiKey(1, 'Shop server'), apiKey(2, 'Old one', { status: 'inactive' })]),
      'POST /external-platform/7/api-key/1/deactivate': () => apiKey(1, 'Shop server', { status: 'inactive' }),
      'POST /external-platform/7/api-key/2/activate': () =>
        refusal(409, 'API_KEY_LIMIT', 'A project can have 20 active keys.'),
    })
    renderScreen(<Developers badgeOf={() => undefined} />, '/developers?projectId=7')
    await choose('Shop server', 'Turn off')
    await userEvent.click((await dialog('Turn off “Shop server”?')).getByRole('button', { name: 'Turn off' }))
    expect(await screen.findByText('API key turned off')).toBeDefined()
    await choose('Old one', 'Turn on')
    await userEvent.click((await dialog('Turn on “Old one”?')).getByRole('button', { name: 'Turn on' }))
    expect(await screen.findByText(/A project can have 20 active keys/)).toBeDefined()
    expect(writes(calls)).toHaveLength(2)
  })
})
