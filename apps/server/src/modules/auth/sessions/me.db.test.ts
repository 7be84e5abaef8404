import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { changeOperator } from '../../operators/accounts/service.ts'

let app: TestApp
let key: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
})
afterAll(async () => {
  await app.stop()
})

const change = (body: object, as = key) => app.call(authRoutes.changeMe, { body }, { key: as })

describe('auth.changeMe', () => {
  it('changes what is named, keeps the rest and clears what is empty', async () => {
    expect((await change({ name: ' Ada Lovelace ', username: 'ada' })).body).toMatchObject({
      name: 'Ada Lovelace',
      username: 'ada',
    })
    expect((await change({ name: '' })).body).toMatchObject({ name: '', username: 'ada' })
    expect((await change({ username: null })).body).toMatchObject({ username: null })
    expect((await app.call(authRoutes.getMe, {}, { key })).body.username).toBeNull()
  })

  it('stores the language of the operator, which only they read, and refuses what is none: INVALID_JSON_DATA', async () => {
    const own = async () => (await app.call(authRoutes.getMe, {}, { key })).body.locale
    expect(await own()).toBeNull()
    expect((await change({ locale: 'pt-BR' })).text).not.toContain('pt-BR')
    await change({ name: 'Ada' })
    expect(await own()).toBe('pt-BR')
    for (const locale of ['de_DE', '../de', 'x', 7]) {
      expect((await change({ locale })).refusal?.code).toBe('INVALID_JSON_DATA')
    }
    await change({ locale: '' })
    expect(await own()).toBeNull()
  })

  it('stores how the dashboard looks to the operator, each setting for itself, and only they read it', async () => {
    const display = async () => (await app.call(authRoutes.getMe, {}, { key })).body.display
    const nothing = { theme: null, timeZone: null, density: null, singleKeys: null, setupGuide: null }
    expect(await display()).toEqual(nothing)
    const chosen = { theme: 'dark', timeZone: 'Europe/Berlin', density: 'compact', singleKeys: false, setupGuide: true }
    expect((await change({ display: chosen })).text).not.toContain('Europe/Berlin')
    await change({ name: 'Ada', display: { timeZone: 'system' } })
    expect(await display()).toEqual({ ...chosen, timeZone: 'system' })
    await change({ display: { theme: null, singleKeys: null } })
    expect(await display()).toEqual({ ...chosen, timeZone: 'system', theme: null, singleKeys: null })
    await change({ display: { timeZone: null, density: null, setupGuide: null } })
    expect(await display()).toEqual(nothing)
  })

  it('refuses display settings that there are not: INVALID_JSON_DATA', async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ theme: 'sepia' }, 'Theme must be one of: system, light, dark'],
      [{ timeZone: 'Mars/Olympus' }, 'Time zone must be one such as Europe/Berlin, or system'],
      [{ timeZone: '' }, 'Time zone must be one such as Europe/Berlin, or system'],
      [{ timeZone: 'x'.repeat(65) }, 'Time zone must be at most 64 characters long'],
      [{ density: 'tiny' }, 'Density must be one of: comfortable, compact'],
      [{ singleKeys: 'off' }, 'Single-key shortcuts must be true or false'],
      [{ sidebar: true }, 'Unknown field'],
    ]
    for (const [display, text] of wrong) {
      const { refusal } = await change({ display })
      expect([refusal?.code, Object.values(refusal?.fields ?? {})]).toEqual(['INVALID_JSON_DATA', [text]])
    }
  })

  it('announces a change to the operator alone, whose other windows read it again', async () => {
    await change({ display: { theme: 'light' } })
    const { rows } = await sql<{ type: string; payload: object }>`
      SELECT type, payload FROM events ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    expect(rows).toEqual([{ type: 'operator.changed', payload: expect.objectContaining({ memberID: 1 }) }])
  })

  it('gives a username to one operator only, whatever its case: USERNAME_TAKEN', async () => {
    const { id: projectId } = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body
    const other = await addOperator(app, { projectId, role: 'project_ops' })
    await change({ username: 'ada' })
    const { status, refusal } = await change({ username: 'ADA' }, other.key)
    expect([status, refusal?.code]).toEqual([409, 'USERNAME_TAKEN'])
    expect(refusal?.fields).toEqual({ username: 'This username is taken.' })
    expect((await change({ username: 'Ada' })).status).toBe(200)
    expect((await change({ username: '' }, other.key)).status).toBe(200)
  })

  it('gives a username to one of two concurrent requests', async () => {
    const { id: projectId } = (await app.call(projectsRoutes.createProject, { body: { name: 'Bar' } }, { key })).body
    const { operatorId } = await addOperator(app, { projectId, role: 'project_ops' })
    let late: ReturnType<typeof change> | undefined
    await app.ctx.db.transaction().execute(async (db) => {
      await sql`UPDATE operators SET username = 'grace' WHERE id = ${operatorId}`.execute(db)
      late = change({ username: 'Grace' })
      await vi.waitFor(async () => {
        const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
        expect((await waiting.execute(app.ctx.db)).rows).toHaveLength(1)
      })
    })
    expect((await late)?.refusal?.code).toBe('USERNAME_TAKEN')
  })

  it('frees the username of an account that was deleted, and changes nothing of that account', async () => {
    const { id: projectId } = (await app.call(projectsRoutes.createProject, { body: { name: 'Inn' } }, { key })).body
    const gone = await addOperator(app, { projectId, role: 'project_ops' })
    await change({ username: 'hopper' }, gone.key)
    expect((await change({ username: 'Hopper' })).refusal?.code).toBe('USERNAME_TAKEN')
    await sql`UPDATE operators SET deleted_at = now() WHERE id = ${gone.operatorId}`.execute(app.ctx.db)
    expect((await change({ username: 'Hopper' })).body.username).toBe('Hopper')
    // Deleted after it was asked who calls.
    await expect(changeOperator(app.ctx, gone.operatorId, { name: 'Grace' })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })

  it('takes no e-mail and no long name', async () => {
    expect((await change({ email: 'other@shop.example' })).refusal?.fields).toEqual({ email: 'Unknown field' })
    expect((await change({ name: 'a'.repeat(101) })).refusal?.fields).toEqual({
      name: 'Name must be at most 100 characters long',
    })
  })
})
