import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { me } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, type SentCall, stubServer } from '../../testing/stub-server.ts'
import { Vaults } from './Vaults.tsx'

// What opens over the page is loaded once; a busy machine takes its time.
beforeAll(async () => void (await import('./VaultForms.tsx')))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const AT = '2026-01-31T09:30:00.000Z'
const server = {
  ...{ id: 1, createdAt: AT, updatedAt: AT, name: 'Server', provider: 'file', status: 'unlocked' },
  ...{ processes: { total: 4, unlocked: 4 }, secretCount: 1, unreadableCount: 0, keyVersion: 1, rotation: null },
  ...{ isDefault: true, lastUsedAt: AT },
}
const hot = {
  ...server,
  ...{ id: 2, name: 'Hot keys', provider: 'passphrase', status: 'locked', processes: { total: 4, unlocked: 0 } },
  ...{ secretCount: 0, isDefault: false, lastUsedAt: null },
}
const secret = {
  id: 7,
  kind: 'node',
  label: 'https://node.example',
  createdAt: AT,
  rotatedAt: null,
  walletID: null,
  unreadableSince: null,
}

function show(vaults: readonly object[], answers: Answers = {}, role = 'root') {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /secrets-vaults': () => vaults,
    'GET /secrets-vault-activities': () => [],
    'GET /secrets-vault/id/1': () => ({ ...server, secrets: [secret] }),
    'GET /secrets-vault/id/2': () => ({ ...hot, secrets: [] }),
    ...answers,
  })
  renderScreen(<Vaults />, '/settings/vault')
  return calls
}
const writes = (calls: readonly SentCall[]) => calls.filter(({ method }) => method !== 'GET')
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const choose = async (vault: string, name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${vault}` }))
  return screen.findByRole('menuitem', { name: new RegExp(`^${name}`) })
}

describe('Vaults', () => {
  it('lists secrets by name, with what uses them', async () => {
    show([server])
    expect(await screen.findByRole('heading', { level: 1, name: 'Vault' })).toBeDefined()
    const table = within(await screen.findByRole('table', { name: 'Secrets' }))
    expect(await table.findByText('https://node.example')).toBeDefined()
    expect(table.getByText('Watching blockchains')).toBeDefined()
    expect((await choose('Server', 'Delete')).getAttribute('aria-disabled')).toBe('true')
  })

  it('shows what was done to vaults, by whom and with which result', async () => {
    const actor = { id: 1, name: '', email: 'owner@shop.example' }
    const activity = { ...{ createdAt: AT, description: '', walletID: null, digest: null }, actor }
    show([server, hot], {
      'GET /secrets-vault-activities': () => [
        { ...activity, id: 9, activityType: 'delete', displayName: '', vaultID: 2, result: 'refused' },
        { ...activity, id: 8, activityType: 'unlock', displayName: '', vaultID: 2, result: 'ok' },
        { ...activity, id: 7, activityType: 'add', displayName: '', vaultID: 5, result: 'ok' },
      ],
    })
    const table = within(await screen.findByRole('table', { name: 'Vault activity' }))
    const rows = (await table.findAllByRole('row')).slice(1).map((row) => row.textContent)
    expect(rows[0]).toMatch(/Delete a vault.*Hot keys.*owner@shop\.example.*Refused/)
    expect(rows[1]).toMatch(/Unlock a vault.*Hot keys.*Done/)
    // A vault that was deleted has no name any more.
    expect(rows[2]).toMatch(/Add a vault.*–/)
    const link = screen.getByRole('link', { name: 'All in the audit log' })
    expect(link.getAttribute('href')).toBe('/settings/audit-log?category=vaults')
  })

  it('lists the work that waits for a locked vault, and unlocks it', async () => {
    const calls = show([server, hot], {
      'POST /secrets-vault/id/2/unlock': ({ body }) =>
        (body as { passphrase: string }).passphrase === 'correct horse battery'
          ? { ...hot, status: 'unlocked' }
          : refusal(400, 'VAULT_PASSPHRASE_WRONG', 'The passphrase is not correct.'),
    })
    expect(await screen.findByText(/Hot keys is locked since the last start/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Unlock' }))
    const form = await dialog('Unlock Hot keys')
    await userEvent.click(form.getByRole('button', { name: 'Unlock' }))
    expect(form.getByText('Passphrase is required')).toBeDefined()
    await userEvent.type(form.getByLabelText('Passphrase'), 'a wrong one')
    await userEvent.click(form.getByRole('button', { name: 'Unlock' }))
    expect(await form.findByText('The passphrase is not correct.')).toBeDefined()
    await userEvent.clear(form.getByLabelText('Passphrase'))
    await userEvent.type(form.getByLabelText('Passphrase'), 'correct horse battery')
    await userEvent.click(form.getByRole('button', { name: 'Unlock' }))
    expect(await screen.findByText('Hot keys is unlocked')).toBeDefined()
    expect(writes(calls)).toHaveLength(2)
  })

  it('says how many processes are still locked, how far a rotation is, and what cannot be opened', async () => {
    show([
      { ...server, rotation: { done: 3, total: 9 }, unreadableCount: 2 },
      { ...hot, processes: { total: 4, unlocked: 3 } },
    ])
    expect(await screen.findByText(/3 of 4 processes can open it/)).toBeDefined()
    expect(screen.getByText(/Rotating Server: 3 of 9 secrets/)).toBeDefined()
    expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Rotation of Server' }).value).toBe(3)
    expect(screen.getByText(/2 secrets of Server cannot be opened/)).toBeDefined()
  })

  it('makes a vault with a passphrase that is typed twice', async () => {
    const calls = show([server], { 'POST /secrets-vault': () => hot })
    await userEvent.click(await screen.findByRole('button', { name: 'New vault' }))
    const form = await dialog('New vault')
    await userEvent.type(form.getByLabelText('Name'), 'Hot keys')
    await userEvent.type(form.getByLabelText('Passphrase'), 'correct horse battery')
    await userEvent.type(form.getByLabelText('Passphrase once more'), 'correct horse')
    await userEvent.click(form.getByRole('button', { name: 'Make vault' }))
    expect(form.getByText('The two passphrases differ')).toBeDefined()
    await userEvent.type(form.getByLabelText('Passphrase once more'), ' battery')
    await userEvent.click(form.getByRole('button', { name: 'Make vault' }))
    expect(await screen.findByText('Vault made')).toBeDefined()
    expect(writes(calls)[0]?.body).toEqual({
      ...{ name: 'Hot keys', provider: 'passphrase', passphrase: 'correct horse battery' },
    })
  })

  it('changes a passphrase, and says what the server refuses', async () => {
    const calls = show([server, hot], {
      'PUT /secrets-vault/id/2': () => refusal(429, 'VAULT_PASSPHRASE_THROTTLED', 'Too many passphrases.'),
    })
    await userEvent.click(await choose('Hot keys', 'Change passphrase'))
    const form = await dialog('Change the passphrase of Hot keys')
    await userEvent.type(form.getByLabelText('Current passphrase'), 'correct horse battery')
    await userEvent.type(form.getByLabelText('Passphrase'), 'another passphrase')
    await userEvent.type(form.getByLabelText('Passphrase once more'), 'another passphrase')
    await userEvent.click(form.getByRole('button', { name: 'Change passphrase' }))
    expect(await form.findByText('Too many passphrases.')).toBeDefined()
    expect(writes(calls)[0]?.body).toEqual({
      ...{ currentPassphrase: 'correct horse battery', passphrase: 'another passphrase' },
    })
  })

  it('rotates after it said what happens', async () => {
    const calls = show([server], { 'POST /secrets-vault/id/1/rotate': () => server })
    await userEvent.click(await choose('Server', 'Rotate'))
    const form = await dialog('Rotate the vault Server')
    await userEvent.click(form.getByRole('button', { name: 'Rotate' }))
    expect(await screen.findByText('Rotation started')).toBeDefined()
    expect(writes(calls).map(({ path }) => path)).toEqual(['/secrets-vault/id/1/rotate'])
  })

  it('shows nothing to change to who may only read', async () => {
    show([server, hot], {}, 'auditor')
    await screen.findByText(/Hot keys is locked/)
    expect(screen.queryByRole('button', { name: 'New vault' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Unlock' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull()
  })
})
