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
    expect(table.getByText('Revoked')).toBeDefined()
    expect(table.getByText('Never used')).toBeDefined()
    expect(table.getAllByRole('button', { name: /^Revoke/ })).toHaveLength(1)
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
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke Shop server' }))
    const asked = await dialog('Revoke “Shop server”')
    await userEvent.type(asked.getByRole('textbox'), 'shop{Enter}')
    expect(asked.getByText('Type Shop server to confirm', { selector: 'p' })).toBeDefined()
    expect(writes(calls)).toEqual([])
    await userEvent.clear(asked.getByRole('textbox'))
    await userEvent.type(asked.getByRole('textbox'), 'Shop server{Enter}')
    expect(await screen.findByText('API key revoked')).toBeDefined()
    expect(writes(calls)).toMatchObject([{ method: 'DELETE', path: '/external-platform/7/api-key/1' }])
  })
})
