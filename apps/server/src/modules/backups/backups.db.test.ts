import { attentionRoutes } from '@kassa/contract/attention/routes.ts'
import { backupsRoutes } from '@kassa/contract/backups/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { addSession } from '../../testing/accounts/credentials.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { recordBackup } from './service.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const BACKUP = { kind: 'taken', rows: 4_711, bytes: 262_144, hasMasterKey: true, version: '0.1.0' } as const
/** Where nothing is. */
const PATH = join(tmpdir(), 'kassa-no-such-backup.kassa')

let app: TestApp
let root: string

beforeAll(async () => {
  app = await testApp({ config: { network: 'testnet' } })
  root = await app.signUp()
})
afterAll(() => app.stop())

const state = async (key = root) => app.call(backupsRoutes.getBackupState, {}, { key })
const attention = async (key = root) =>
  (await app.call(attentionRoutes.getAttention, { params: { p: 'all' } }, { key })).body.backups
const record = (takenAt: Date, more: object = {}) =>
  recordBackup(asSystem(app.ctx), { ...BACKUP, takenAt, path: PATH, ...more })

describe('backups (C17)', () => {
  it('asks for the first one', async () => {
    expect((await state()).body).toEqual({ isDue: true, remindAfterDays: 7, last: null, restored: null })
    expect(await attention()).toEqual({ isRead: true, count: 1, list: '/system/backups', lastTakenAt: null })
  })

  it('asks again while the newest is older than a week', async () => {
    const takenAt = daysAgo(8)
    await record(takenAt)
    expect((await state()).body).toMatchObject({ isDue: true, last: { ...BACKUP, takenAt } })
    expect(await attention()).toMatchObject({ count: 1, lastTakenAt: takenAt })
  })

  it('knows the newest by the moment that it holds', async () => {
    const takenAt = daysAgo(2)
    await record(takenAt)
    await record(daysAgo(3), { rows: 1 })
    const last = { ...BACKUP, takenAt, recordedAt: expect.any(Date), file: 'missing' }
    expect((await state()).body).toEqual({ isDue: false, remindAfterDays: 7, last, restored: null })
    expect(await attention()).toMatchObject({ count: 0, lastTakenAt: takenAt })
  })

  it('counts the file that the install was restored from, and says that it was', async () => {
    const takenAt = daysAgo(1)
    await record(takenAt, { kind: 'restored' })
    const { body } = await state()
    expect(body).toMatchObject({ isDue: false, last: { kind: 'restored', takenAt }, restored: { takenAt } })
  })

  it('says whether the file is where it was written, as far as this machine can know', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kassa-backups-'))
    const path = join(folder, 'one.kassa')
    const file = async () => (await state()).body.last?.file
    await record(daysAgo(0.5), { bytes: 5, path })
    expect(await file()).toBe('missing')
    writeFileSync(path, 'whole')
    expect(await file()).toBe('found')
    writeFileSync(path, 'cut')
    expect(await file()).toBe('changed')
    await sql`UPDATE backups SET host = 'another machine' WHERE path = ${path}`.execute(app.ctx.db)
    expect(await file()).toBeNull()
    await sql`UPDATE backups SET host = NULL, path = NULL WHERE path = ${path}`.execute(app.ctx.db)
    expect(await file()).toBeNull()
    rmSync(folder, { recursive: true })
  })

  it('asks as late as the setting says, or never', async () => {
    await sql`DELETE FROM backups WHERE taken_at > ${daysAgo(7)}`.execute(app.ctx.db)
    const params = { key: 'backups.remind_after_days' }
    const remind = (value: string) => app.call(settingsRoutes.updateSetting, { params, body: { value } }, { key: root })
    expect((await state()).body.isDue).toBe(true)
    await remind('30')
    expect((await state()).body).toMatchObject({ isDue: false, remindAfterDays: 30 })
    await remind('1')
    expect((await state()).body).toMatchObject({ isDue: true, remindAfterDays: 1 })
    await remind('0')
    expect((await state()).body).toMatchObject({ isDue: false, remindAfterDays: 0 })
    expect(await attention()).toMatchObject({ count: 0 })
    expect((await remind('-1')).refusal?.code).toBe('CONFIGURATION_VALUE_INVALID')
  })

  it('answers whoever may read the system or write settings, and says nothing of where a file is', async () => {
    const { key: reader } = await addSession(app, { permissions: ['system:read'] })
    const { key: writer } = await addSession(app, { permissions: ['settings:write'] })
    const { key: other } = await addSession(app, { permissions: ['payment:read'] })
    expect((await state(other)).refusal?.code).toBe('FORBIDDEN')
    expect([(await state(reader)).status, (await state(writer)).status]).toEqual([200, 200])
    expect([await attention(reader), await attention(other)]).toEqual([null, null])
    expect(await attention(writer)).toMatchObject({ isRead: true, list: '/system/backups' })
    const { last } = JSON.parse((await state()).text) as { last: object }
    expect(Object.keys(last).toSorted()).toEqual([
      ...['bytes', 'file', 'hasMasterKey', 'kind', 'recordedAt', 'rows', 'takenAt', 'version'],
    ])
  })
})
