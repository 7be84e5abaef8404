import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { ProjectChange } from '@kassa/contract/projects/schemas.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { accountXpub } from '../../testing/shop.ts'
import { acceptedAssets } from './accepted-assets.ts'
import { grantsOf, rolesOf } from '../operators/accounts/service.ts'
import { createProject } from './service.ts'

let app: TestApp
let key: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
})
afterAll(() => app.stop())

const create = (body: { name: string } & ProjectChange, options: object = { key }) =>
  app.call(projectsRoutes.createProject, { body }, options)
const change = (p: number, body: ProjectChange, options: object = {}) =>
  app.call(projectsRoutes.changeProject, { params: { p: String(p) }, body }, { key, ...options })
const get = async (p: number) => (await app.call(projectsRoutes.getProject, { params: { p: String(p) } }, { key })).body
const events = async (p: number) =>
  (
    await sql<{ type: string; actor: string; payload: object }>`
      SELECT type, actor, payload FROM events WHERE project_id = ${p} AND type LIKE 'project.%' ORDER BY id`.execute(
      app.ctx.db,
    )
  ).rows

const FILLED = {
  website: 'https://shop.example',
  successEndpoint: 'https://shop.example/thanks',
  cancelEndpoint: 'https://shop.example/back',
  frontendEndpoint: 'https://pay.shop.example',
  twitterURL: 'https://x.com/shop',
  discordURL: 'https://discord.gg/shop',
  linkedInURL: 'https://linkedin.com/company/shop',
  telegramURL: 'https://t.me/shop',
  supportEmail: 'help@shop.example',
  emailSendRequestFrom: 'Shop <pay@shop.example>',
  emailSendRequestReplyTo: 'reply@shop.example',
} satisfies ProjectChange

describe('projects.createProject', () => {
  it('needs a name and nothing else', async () => {
    const { status, body, text } = await create({ name: '  Corner shop ' })
    expect(status).toBe(201)
    expect(text).toMatch(/^\{"id":\d+,/)
    expect(body).toMatchObject({
      name: 'Corner shop',
      brandColor: '#caff54',
      logoPath: '',
      status: 'active',
      website: '',
    })
    expect(await acceptedAssets(asSystem(app.ctx), body.id)).not.toHaveLength(0)
    expect(await events(body.id)).toEqual([
      {
        type: 'project.created',
        actor: 'operator:1',
        payload: { project_id: body.id, name: 'Corner shop', status: 'active' },
      },
    ])
  })

  it('takes every field at once', async () => {
    expect((await create({ name: 'Whole', brandColor: '#CAFF00', ...FILLED })).body).toMatchObject({
      ...FILLED,
      brandColor: '#caff00',
    })
  })

  it('refuses an empty name and wrong fields, and leaves nothing behind', async () => {
    const count = async () => (await app.call(projectsRoutes.listProjects, {}, { key })).body.length
    const before = await count()
    for (const name of ['', '   ']) {
      expect((await create({ name })).refusal).toMatchObject({
        code: 'VALIDATION_FAILED',
        message: 'Project Name is required',
        fields: { name: 'Project Name is required' },
      })
    }
    const wrong = await create({
      name: 'x'.repeat(101),
      brandColor: 'red',
      website: 'javascript:alert(1)',
      supportEmail: 'me',
    })
    expect(wrong.refusal?.fields).toEqual({
      name: 'Project name must be at most 100 characters long',
      brandColor: 'Use a colour like #caff54',
      website: 'Website must be an http or https address',
      supportEmail: 'Enter a valid e-mail address',
    })
    expect(await count()).toBe(before)
  })

  it('makes its creator the lead, unless an install-wide role already lets them', async () => {
    const { body } = await create({ name: 'Of root' })
    expect((await rolesOf(app.ctx, 1)).filter((role) => role.project_id === body.id)).toEqual([])
    const lead = await addOperator(app, { projectId: body.id, role: 'project_lead' })
    const second = await create({ name: 'Of a lead' }, { key: lead.key })
    expect(second.status).toBe(201)
    expect((await grantsOf(app.ctx, lead.operatorId)).projects.get(second.body.id)?.has('project:update')).toBe(true)
    const visible = await app.call(projectsRoutes.listProjects, {}, { key: lead.key })
    expect(visible.body.map(({ id }) => id)).toEqual([body.id, second.body.id])
  })

  it('is closed to operators without project:create', async () => {
    const { body } = await create({ name: 'With ops' })
    const ops = await addOperator(app, { projectId: body.id, role: 'project_ops' })
    expect((await create({ name: 'No' }, { key: ops.key })).refusal).toMatchObject({
      code: 'FORBIDDEN',
      data: { permission: 'project:create' },
    })
    expect((await change(body.id, { name: 'No' }, { key: ops.key })).refusal?.data).toMatchObject({
      permission: 'project:update',
    })
  })
})

describe('projects.changeProject', () => {
  it('keeps what is absent and clears what is empty or null, field by field', async () => {
    const { id } = (await create({ name: 'Fields', ...FILLED })).body
    for (const field of Object.keys(FILLED) as (keyof typeof FILLED)[]) {
      const cleared = (await change(id, { [field]: '' })).body
      expect([field, cleared[field]]).toEqual([field, ''])
      expect((await change(id, { [field]: FILLED[field] })).body).toMatchObject({ name: 'Fields', ...FILLED })
      const raw = JSON.stringify({ [field]: null })
      expect([field, (await change(id, {}, { raw })).body[field]]).toEqual([field, ''])
      await change(id, { [field]: FILLED[field] })
    }
    expect((await change(id, { brandColor: '#112233' })).body.brandColor).toBe('#112233')
    expect((await change(id, { name: 'Renamed' })).body).toMatchObject({
      ...FILLED,
      brandColor: '#112233',
      name: 'Renamed',
    })
    expect((await change(id, { brandColor: '' })).body.brandColor).toBe('#caff54')
    expect((await change(id, { name: '' })).refusal?.message).toBe('Project Name is required')
  })

  it('keeps language, colours and way back of the payment page; empty texts bring the defaults back', async () => {
    const { id, checkoutLanguage, checkoutTheme, backText } = (await create({ name: 'Checkout' })).body
    expect([checkoutLanguage, checkoutTheme, backText]).toEqual(['', 'system', ''])
    const options = { checkoutLanguage: 'de', checkoutTheme: 'dark', backText: 'Zum Warenkorb' } as const
    expect((await change(id, options)).body).toMatchObject(options)
    expect((await change(id, { website: '' })).body).toMatchObject(options)
    const cleared = { checkoutLanguage: '', checkoutTheme: '', backText: '' } as const
    expect((await change(id, cleared)).body).toMatchObject({ ...cleared, checkoutTheme: 'system' })
    const raw = JSON.stringify({ checkoutLanguage: 'tlh', checkoutTheme: 'pink', backText: 'x'.repeat(41) })
    expect((await change(id, {}, { raw })).refusal?.fields).toEqual({
      checkoutLanguage: expect.stringMatching(/^Checkout language must be one of: en, de, /) as string,
      checkoutTheme: 'Checkout theme must be one of: system, light, dark',
      backText: 'Text of the back button must be at most 40 characters long',
    })
  })

  it('takes PATCH and PUT alike, ignores a foreign logo path, and emits the change', async () => {
    const { id } = (await create({ name: 'Verbs' })).body
    expect((await change(id, { website: 'https://a.example' }, { method: 'PATCH' })).body.website).toBe(
      'https://a.example',
    )
    expect((await change(id, { logoPath: 'https://evil.example/x.png' })).body.logoPath).toBe('')
    expect((await events(id)).map(({ type }) => type)).toEqual([
      'project.created',
      'project.changed',
      'project.changed',
    ])
  })

  it('refuses to overwrite a newer row when it is asked to look: EDIT_CONFLICT', async () => {
    const { id, updatedAt } = (await create({ name: 'Twice' })).body
    const since = (time: Date) => ({ headers: { 'if-unmodified-since': time.toUTCString() } })
    expect((await change(id, { name: 'Once' }, since(updatedAt))).status).toBe(200)
    await sql`UPDATE projects SET updated_at = ${new Date(updatedAt.getTime() + 5000)} WHERE id = ${id}`.execute(
      app.ctx.db,
    )
    const { status, refusal } = await change(id, { name: 'Late' }, since(updatedAt))
    expect([status, refusal?.code]).toEqual([409, 'EDIT_CONFLICT'])
    expect((await get(id)).name).toBe('Once')
    expect((await change(id, { name: 'Unasked' })).status).toBe(200)
    expect((await change(id, { name: 'No date' }, { headers: { 'if-unmodified-since': 'yesterday' } })).status).toBe(
      200,
    )
  })

  it('sees a change of the same second when the time it is given has a fraction', async () => {
    const { id, updatedAt } = (await create({ name: 'Fast' })).body
    const seen = { headers: { 'if-unmodified-since': updatedAt.toISOString() } }
    await sql`UPDATE projects SET updated_at = ${new Date(updatedAt.getTime() + 1)} WHERE id = ${id}`.execute(
      app.ctx.db,
    )
    expect((await change(id, { name: 'Late' }, seen)).refusal?.code).toBe('EDIT_CONFLICT')
    const { updatedAt: now } = await get(id)
    expect(
      (await change(id, { name: 'Later' }, { headers: { 'if-unmodified-since': now.toISOString() } })).status,
    ).toBe(200)
  })

  it('takes a default currency that is accepted, on its own network: ASSET_NOT_ACCEPTED', async () => {
    const { id } = (await create({ name: 'Default' })).body
    const assets = await acceptedAssets(asSystem(app.ctx), id)
    const [one] = assets
    const other = assets.find(({ blockchainId }) => blockchainId !== one?.blockchainId)
    if (!one || !other) throw new Error('Two networks are needed')
    const set = (blockchain?: number | null, asset?: number | null) =>
      change(id, {
        ...(blockchain !== undefined && { defaultPaymentBlockchainID: blockchain }),
        ...(asset !== undefined && { defaultPaymentBlockchainCurrencyID: asset }),
      })
    const defaults = async () => {
      const row = await get(id)
      return [row.defaultPaymentBlockchainID, row.defaultPaymentBlockchainCurrencyID]
    }
    expect((await set(one.blockchainId, one.id)).status).toBe(200)
    for (const [blockchain, asset] of [[999], [undefined, 999], [one.blockchainId, other.id], [undefined, other.id]]) {
      expect((await set(blockchain, asset)).refusal?.code).toBe('ASSET_NOT_ACCEPTED')
    }
    expect(await defaults()).toEqual([one.blockchainId, one.id])
    await set(other.blockchainId)
    expect(await defaults()).toEqual([other.blockchainId, null])
    await set(null, null)
    expect(await defaults()).toEqual([null, null])
  })

  it('refuses an unknown project, a foreign one and all of them', async () => {
    const { id } = (await create({ name: 'Hidden' })).body
    const mine = (await create({ name: 'Mine' })).body
    const lead = await addOperator(app, { projectId: mine.id, role: 'project_lead' })
    expect((await change(id, { name: 'x' }, { key: lead.key })).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await change(99_999, { name: 'x' })).refusal?.code).toBe('PROJECT_NOT_FOUND')
    const all = await app.call(projectsRoutes.changeProject, { params: { p: 'all' }, body: { name: 'x' } }, { key })
    expect(all.refusal?.code).toBe('PROJECT_REQUIRED')
    await sql`UPDATE projects SET status = 'archived' WHERE id = ${id}`.execute(app.ctx.db)
    expect((await change(id, { name: 'x' })).refusal?.code).toBe('PROJECT_ARCHIVED')
    expect((await get(id)).status).toBe('archived')
  })
})

describe('projects.listProjects', () => {
  it('lists the active ones by id, or the archived ones', async () => {
    const { id } = (await create({ name: 'Old' })).body
    await sql`UPDATE projects SET status = 'archived' WHERE id = ${id}`.execute(app.ctx.db)
    const list = async (query: object = {}) => app.call(projectsRoutes.listProjects, { query }, { key })
    const active = await list()
    const ids = active.body.map((project) => project.id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(ids).not.toContain(id)
    expect(active.headers['x-total-count']).toBe(String(ids.length))
    expect((await list({ status: 'archived' })).body.map((project) => project.id)).toContain(id)
    expect((await list({ status: 'gone' })).refusal?.fields).toEqual({
      status: 'Status must be one of: active, archived',
    })
  })

  it('counts what each project accepts', async () => {
    const { id } = (await create({ name: 'Counted' })).body
    const assets = await acceptedAssets(asSystem(app.ctx), id)
    const details = async () =>
      (await app.call(projectsRoutes.listProjectDetails, {}, { key })).body.find((project) => project.id === id)
    expect(await details()).toMatchObject({
      networkCount: new Set(assets.map(({ blockchainId }) => blockchainId)).size,
      currencyCount: assets.length,
      hasDepositWallet: false,
      referenceId: String(id),
      status: 'active',
    })
    await sql`DELETE FROM project_assets WHERE project_id = ${id}`.execute(app.ctx.db)
    expect(await details()).toMatchObject({ networkCount: 0, currencyCount: 0 })
    const xpubs = [{ family: 'ETH_Family' as const, xpub: accountXpub() }]
    const body = { name: 'Deposits', projectID: id, xpubs }
    await app.call(walletsRoutes.addDepositWallet, { body }, { key })
    expect(await details()).toMatchObject({ hasDepositWallet: true })
  })
})

describe('projects.createProject, by the program', () => {
  it('needs no role', async () => {
    const project = await createProject(asSystem(app.ctx), { name: 'By system' })
    expect((await get(project.id)).name).toBe('By system')
  })
})
