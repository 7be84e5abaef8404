import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me, sandboxConfiguration } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, stubServer } from '../../../testing/stub-server.ts'
import { BackupsCard } from './BackupsCard.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const backup = (more: object = {}) => ({
  kind: 'taken',
  takenAt: AT,
  recordedAt: AT,
  rows: 4_711,
  bytes: 3_400_000_000,
  hasMasterKey: true,
  version: '0.1.0',
  file: 'found',
  ...more,
})

function show(answers: Answers = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /system/backups': () => ({ isDue: false, remindAfterDays: 7, last: backup(), restored: null }),
    'GET /configuration/default': () => ({ ...sandboxConfiguration, blockchainNetwork: 'mainnet' }),
    ...answers,
  })
  renderScreen(<BackupsCard />, '/settings/system')
  return calls
}

const region = async (name: string) => within(await screen.findByRole('region', { name }))

describe('BackupsCard', () => {
  it('says when the install was backed up, how large that is, and with which command it is done', async () => {
    show({})
    const card = await region('Backups')
    expect(await card.findByText('3.4 GB, 4,711 rows')).toBeDefined()
    expect(card.getByText('In the file, encrypted')).toBeDefined()
    expect(card.getByRole('group', { name: 'backup command' }).textContent).toBe('npm run backup -- --to /mnt/backups')
    expect(card.queryByText('Restored')).toBeNull()
    expect(card.queryByRole('status')).toBeNull()
  })

  it.each([
    ['missing', /is not where it was written/],
    ['changed', /has another size than when it was written/],
  ])('says that the file of the last backup is %s', async (file, text) => {
    show({
      'GET /system/backups': () => ({ isDue: false, remindAfterDays: 7, last: backup({ file }), restored: null }),
    })
    expect(await (await region('Backups')).findByText(text)).toBeDefined()
  })

  it('asks for a backup where there is none, or where it is old, and says what the install was restored from', async () => {
    const [taken, restoredAt] = [9, 1].map((days) => new Date(Date.now() - days * 86_400_000).toISOString())
    const last = backup({ kind: 'restored', takenAt: taken, recordedAt: restoredAt, hasMasterKey: false })
    show({ 'GET /system/backups': () => ({ isDue: true, remindAfterDays: 7, last, restored: last }) })
    const card = await region('Backups')
    expect(await card.findByText('Last backup 9 days ago')).toBeDefined()
    expect(card.getByText(/^If the disk of the database is lost, everything since then is/)).toBeDefined()
    expect(card.getByText(/^Not in the file: keep it elsewhere/)).toBeDefined()
    expect(card.getByText('Restored').nextElementSibling?.textContent).toMatch(/^yesterday .*, from the backup of /)
    cleanup()
    show({ 'GET /system/backups': () => ({ isDue: true, remindAfterDays: 7, last: null, restored: null }) })
    const none = await region('Backups')
    expect(await none.findByText('No backup yet')).toBeDefined()
    expect(none.getByText(/^If the disk of the database is lost, everything is/)).toBeDefined()
  })

  it('is asked to remind later, or never, by whoever may write settings', async () => {
    let remindAfterDays = 7
    const calls = show({
      'GET /system/backups': () => ({ isDue: false, remindAfterDays, last: backup(), restored: null }),
      'PUT /configuration/key/backups.remind_after_days': ({ body }) => {
        const { value } = body as { value: string }
        remindAfterDays = Number(value)
        const row = { id: 1, createdAt: AT, updatedAt: AT, key: 'backups.remind_after_days', value }
        return { ...row, overrideValue: null, description: '', encrypt: false }
      },
    })
    const card = await region('Backups')
    const field = await card.findByRole<HTMLSelectElement>('combobox', { name: 'Remind' })
    expect([...field.options].map(({ text }) => text)).toEqual([
      '1 day after the last backup',
      ...[7, 14, 30].map((days) => `${days} days after the last backup`),
      'Never',
    ])
    await userEvent.selectOptions(field, 'Never')
    expect(await screen.findByText('Reminder saved')).toBeDefined()
    await waitFor(() => expect(field.value).toBe('0'))
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ value: '0' })
  })

  it('offers no reminder on the sandbox, nor to whoever may only read', async () => {
    show({ 'GET /configuration/default': () => sandboxConfiguration })
    const sandbox = await region('Backups')
    expect(await sandbox.findByText(/^The sandbox never asks for a backup/)).toBeDefined()
    expect(sandbox.queryByRole('combobox')).toBeNull()
    cleanup()
    show({ 'GET /member/me': () => ({ ...me(), permissions: { install: ['system:read'], projects: {} } }) })
    const read = await region('Backups')
    expect(await read.findByText('3.4 GB, 4,711 rows')).toBeDefined()
    expect(read.queryByRole('combobox')).toBeNull()
  })
})
