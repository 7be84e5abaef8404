import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import type { Permission } from '@kassa/contract/permissions.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Context } from '../../context.ts'
import { hashCredential } from '../../credentials.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator, operatorWith } from '../../testing/operators.ts'
import { changeApiKey, findApiKey, rotateApiKey } from './service.ts'

const START = new Date('2026-01-31T09:00:00.000Z')
const HOUR_MS = 60 * 60_000

let app: TestApp
let key: string
let shop: string
let market: string

const create = async (body: object = {}, p = shop) =>
  (await app.call(apiKeysRoutes.createApiKey, { params: { p }, body }, { key })).body
const get = (id: number, { p = shop, as = key } = {}) =>
  app.call(apiKeysRoutes.getApiKey, { params: { p, id } }, { key: as })
const change = (id: number, body: object, { p = shop, as = key } = {}) =>
  app.call(apiKeysRoutes.changeApiKey, { params: { p, id }, body }, { key: as })
const act = (id: number, x: string, body: object = {}, { p = shop, as = key, headers = {} } = {}) =>
  app.call(apiKeysRoutes.actOnApiKey, { params: { p, id, x }, body }, { key: as, headers })
const revoke = (id: number) => app.call(apiKeysRoutes.revokeApiKey, { params: { p: shop, id } }, { key })
const search = (as: string | null | undefined) =>
  app.call(paymentsRoutes.searchPayments, { params: { p: shop } }, { key: as ?? '' })
const createProject = async (name: string) =>
  String((await app.call(projectsRoutes.createProject, { body: { name } }, { key })).body.id)
const isFoundAt = async (text: string | null | undefined, now: Date) =>
  (await findApiKey({ ...app.ctx, now: () => now }, hashCredential(text ?? ''))) !== null
const after = (hours: number) => new Date(START.getTime() + hours * HOUR_MS)

/** The context of an operator whose custom role gives these permissions in the shop. */
const contextWith = (permissions: Permission[]): Context => ({
  ...app.ctx,
  caller: operatorWith(Number(shop), permissions),
})

beforeAll(async () => {
  app = await testApp({ now: START })
  key = await app.signUp()
  shop = await createProject('Shop')
  market = await createProject('Market')
})
afterAll(async () => {
  await app.stop()
})

describe('apiKeys.get', () => {
  it('shows a key without its value, turned off too', async () => {
    const made = await create({ name: 'Shop plugin' })
    await act(made.id, 'deactivate')
    const { status, body, text } = await get(made.id)
    expect([status, body.name, body.status, body.previousKeyUntil]).toEqual([200, 'Shop plugin', 'inactive', null])
    expect(text).not.toContain(made.key)
    expect((await get(made.id, { p: 'all' })).body.id).toBe(made.id)
  })

  it('finds no key of another project, none that was revoked and none that never was: API_KEY_NOT_FOUND', async () => {
    const made = await create()
    const lead = await addOperator(app, { projectId: Number(market), role: 'project_lead' })
    expect((await get(made.id, { p: market, as: lead.key })).refusal?.code).toBe('API_KEY_NOT_FOUND')
    expect((await get(made.id, { p: 'all', as: lead.key })).refusal?.code).toBe('API_KEY_NOT_FOUND')
    await revoke(made.id)
    expect((await get(made.id)).refusal?.code).toBe('API_KEY_NOT_FOUND')
    expect((await get(999_999)).refusal?.code).toBe('API_KEY_NOT_FOUND')
  })
})

describe('apiKeys.change', () => {
  it('changes what it names and keeps the rest; the next call meets it', async () => {
    const made = await create({ name: 'Shop', description: 'old', scopes: ['payment:read'] })
    expect((await search(made.key)).status).toBe(200)
    const changed = await change(made.id, { scopes: ['analytics:read'], description: '' })
    expect(changed.body).toMatchObject({ name: 'Shop', description: '', scopes: ['analytics:read'] })
    expect((await search(made.key)).refusal?.code).toBe('FORBIDDEN')
    await change(made.id, { scopes: ['payment:read'], allowedIPs: ['203.0.113.7'] })
    expect((await search(made.key)).status).toBe(401)
    const opened = await change(made.id, { allowedIPs: [], expiresAt: after(1) })
    expect(opened.body).toMatchObject({ allowedIPs: [], expiresAt: after(1), scopes: ['payment:read'] })
    expect((await search(made.key)).status).toBe(200)
    expect((await change(made.id, { expiresAt: null, name: '' })).body).toMatchObject({
      expiresAt: null,
      name: 'API key',
    })
  })

  it('refuses an end in the past, and leaves one that is past alone: VALIDATION_FAILED', async () => {
    const made = await create()
    const { refusal } = await change(made.id, { expiresAt: START })
    expect(refusal?.fields).toEqual({ expiresAt: 'Expiry must not be in the past' })
    await sql`UPDATE api_keys SET expires_at = ${after(-1)} WHERE id = ${made.id}`.execute(app.ctx.db)
    expect((await change(made.id, { name: 'Past' })).body).toMatchObject({ name: 'Past', expiresAt: after(-1) })
  })

  it('refuses a scope that means nothing: SCOPE_UNKNOWN', async () => {
    const made = await create()
    expect((await change(made.id, { scopes: ['wallet:write'] })).refusal?.code).toBe('SCOPE_UNKNOWN')
  })

  it('refuses a further scope that the operator lacks, and keeps those it had: SCOPE_ABOVE_YOURS', async () => {
    const made = await create({ scopes: ['payment:read', 'payout:read'] })
    const [ctx, target] = [contextWith(['api_key:write', 'payment:read']), { id: made.id, projectId: Number(shop) }]
    await expect(
      changeApiKey(ctx, target, { scopes: ['payment:read', 'payout:read', 'payout:create'] }),
    ).rejects.toMatchObject({ code: 'SCOPE_ABOVE_YOURS', data: { scope: 'payout:create' } })
    await expect(changeApiKey(ctx, target, { scopes: ['payout:read'] })).resolves.toMatchObject({
      scopes: ['payout:read'],
    })
  })

  it('lets nobody revive, extend or open a key with scopes that they lack: SCOPE_ABOVE_YOURS', async () => {
    const made = await create({ scopes: ['payout:create'], allowedIPs: ['203.0.113.7'], expiresAt: after(24) })
    const [ctx, target] = [contextWith(['api_key:write', 'payment:read']), { id: made.id, projectId: Number(shop) }]
    const refused = { code: 'SCOPE_ABOVE_YOURS', data: { scope: 'payout:create' } }
    for (const wider of [{ allowedIPs: [] }, { allowedIPs: ['203.0.113.8'] }, { expiresAt: null }])
      await expect(changeApiKey(ctx, target, wider)).rejects.toMatchObject(refused)
    await expect(changeApiKey(ctx, target, { expiresAt: after(1), status: 'inactive' })).resolves.toBeDefined()
    await expect(changeApiKey(ctx, target, { status: 'active' })).rejects.toMatchObject(refused)
    expect((await change(made.id, { status: 'active' })).body).toMatchObject({ status: 'active' })
  })

  it('changes no key of another project, and none that was revoked: API_KEY_NOT_FOUND, API_KEY_REVOKED', async () => {
    const made = await create()
    expect((await change(made.id, { name: 'x' }, { p: market })).refusal?.code).toBe('API_KEY_NOT_FOUND')
    await revoke(made.id)
    expect((await change(made.id, { status: 'active' })).refusal?.code).toBe('API_KEY_REVOKED')
    expect(await isFoundAt(made.key, START)).toBe(false)
  })

  it('needs the permission, and a check of the password a short while ago', async () => {
    const made = await create({ scopes: ['payment:read'] })
    const ops = await addOperator(app, { projectId: Number(shop), role: 'project_ops' })
    expect((await change(made.id, { name: 'x' }, { as: ops.key })).refusal?.code).toBe('FORBIDDEN')
    const lead = await addOperator(app, { projectId: Number(shop), role: 'project_lead' })
    await sql`UPDATE sessions SET step_up_until = NULL WHERE operator_id = ${lead.operatorId}`.execute(app.ctx.db)
    expect((await act(made.id, 'rotate', {}, { as: lead.key })).refusal?.code).toBe('STEP_UP_REQUIRED')
  })
})

describe('apiKeys.act', () => {
  it.each([
    ['inactive', 'active'],
    ['deactivate', 'activate'],
  ])('turns a key off by %s and on by %s', async (off, on) => {
    const made = await create({ scopes: ['payment:read'] })
    expect((await act(made.id, off)).body.status).toBe('inactive')
    expect((await search(made.key)).refusal?.code).toBe('UNAUTHORIZED')
    const { status, body } = await act(made.id, on)
    expect([status, body.status, body.key]).toEqual([200, 'active', undefined])
    expect((await search(made.key)).status).toBe(200)
  })

  it.each(['delete', 'constructor'])('knows no action %s: API_KEY_ACTION_UNKNOWN', async (x) => {
    const made = await create()
    const { status, refusal } = await act(made.id, x)
    expect([status, refusal?.code]).toEqual([400, 'API_KEY_ACTION_UNKNOWN'])
  })

  it('turns none on that would be the 21st to work, by any way: API_KEY_LIMIT', async () => {
    const p = await createProject('Crowded')
    const first = await create({}, p)
    await act(first.id, 'deactivate', {}, { p })
    for (let made = 1; made <= 20; made += 1) await create({}, p)
    expect((await act(first.id, 'activate', {}, { p })).refusal?.code).toBe('API_KEY_LIMIT')
    expect((await change(first.id, { status: 'active' }, { p })).refusal?.code).toBe('API_KEY_LIMIT')
    await sql`UPDATE api_keys SET status = 'active', expires_at = ${after(-1)} WHERE id = ${first.id}`.execute(
      app.ctx.db,
    )
    expect((await change(first.id, { expiresAt: null }, { p })).refusal?.code).toBe('API_KEY_LIMIT')
    expect((await change(first.id, { name: 'Still past' }, { p })).status).toBe(200)
  })
})

describe('apiKeys.rotate', () => {
  it('gives a new value, beside which the old one works for a day', async () => {
    const made = await create({ scopes: ['payment:read'] })
    const { status, body } = await act(made.id, 'rotate')
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: made.id, scopes: ['payment:read'], previousKeyUntil: after(24) })
    expect(body.key).toMatch(/^kp_test_/)
    expect(body.last4).toBe(body.key?.slice(-4))
    expect([(await search(made.key)).status, (await search(body.key)).status]).toEqual([200, 200])
    expect([await isFoundAt(made.key, after(24)), await isFoundAt(body.key, after(24))]).toEqual([false, true])
    expect((await get(made.id)).text).not.toContain(body.key)
  })

  it('ends the old value at once without an overlap, and the one before at the latest now', async () => {
    const made = await create()
    const second = await act(made.id, 'rotate', { overlapHours: 168 })
    const third = await act(made.id, 'rotate', { overlapHours: 1 })
    expect(await isFoundAt(made.key, START)).toBe(false)
    expect(await isFoundAt(second.body.key, START)).toBe(true)
    const fourth = await act(made.id, 'rotate', { overlapHours: 0 })
    expect(await isFoundAt(third.body.key, START)).toBe(false)
    expect([fourth.body.previousKeyUntil, await isFoundAt(fourth.body.key, START)]).toEqual([null, true])
    expect((await act(made.id, 'rotate', { overlapHours: 169 })).refusal?.code).toBe('VALIDATION_FAILED')
  })

  it('stops both values when the key is turned off or revoked', async () => {
    const made = await create()
    const { body } = await act(made.id, 'rotate')
    const found = async () => [await isFoundAt(made.key, START), await isFoundAt(body.key, START)]
    await act(made.id, 'deactivate')
    expect(await found()).toEqual([false, false])
    await act(made.id, 'activate')
    expect(await found()).toEqual([true, true])
    await revoke(made.id)
    expect(await found()).toEqual([false, false])
    expect((await act(made.id, 'rotate')).refusal?.code).toBe('API_KEY_REVOKED')
    expect((await act(999_999, 'rotate')).refusal?.code).toBe('API_KEY_NOT_FOUND')
  })

  it('gives no value with a scope that the operator lacks: SCOPE_ABOVE_YOURS', async () => {
    const made = await create({ scopes: ['payment:read', 'payout:create'] })
    const target = { id: made.id, projectId: Number(shop) }
    const ctx = contextWith(['api_key:write', 'payment:read'])
    await expect(rotateApiKey(ctx, target)).rejects.toMatchObject({ code: 'SCOPE_ABOVE_YOURS' })
    expect(await isFoundAt(made.key, START)).toBe(true)
  })

  it('withholds the value when the call is repeated, and rotates once', async () => {
    const made = await create()
    const headers = { 'idempotency-key': 'rotate-once' }
    const first = await act(made.id, 'rotate', {}, { headers })
    const again = await act(made.id, 'rotate', {}, { headers })
    expect([again.status, again.body.key, again.body.last4]).toEqual([201, null, first.body.last4])
    expect(await isFoundAt(made.key, START)).toBe(true)
  })

  it('leaves one sealed state behind, that of the new value', async () => {
    const made = await create()
    const states = () => sql<{ n: bigint }>`SELECT count(*) AS n FROM secrets WHERE kind = 'api_key_hmac'`
    const before = (await states().execute(app.ctx.db)).rows[0]?.n
    await act(made.id, 'rotate')
    expect((await states().execute(app.ctx.db)).rows[0]?.n).toBe(before)
  })
})
