import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sharedViewsRoutes } from '@kassa/contract/shared-views/routes.ts'
import { MOST_SHARED_VIEWS } from '@kassa/contract/shared-views/schemas.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { addSession } from '../../testing/accounts/credentials.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

const VIEW = {
  screen: 'payments',
  name: 'Big ones',
  search: { amount: '1000..' },
  layout: { density: 'compact' },
} as const

let app: TestApp
let root: string
let shop: Shop
let market: Shop
/** Two members who read payments of the shop, and no more. */
let ann: string
let bob: string

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await openShop(app, root)
  market = await openShop(app, root, 'Market')
  const reader = async () =>
    (await addSession(app, { projectId: shop.projectId, permissions: ['payment:read', 'project:read'] })).key
  ;[ann, bob] = [await reader(), await reader()]
})
afterAll(() => app.stop())

const share = (body: object = {}, { p = shop.p, key = ann } = {}) =>
  app.call(sharedViewsRoutes.shareView, { params: { p }, body: { ...VIEW, ...body } }, { key })
const list = async ({ p = shop.p, key = ann } = {}) =>
  (await app.call(sharedViewsRoutes.listSharedViews, { params: { p } }, { key })).body
const change = (id: number | string, body: object, { p = shop.p, key = ann } = {}) =>
  app.call(sharedViewsRoutes.changeSharedView, { params: { p, id: String(id) }, body }, { key })
const remove = (id: number | string, { p = shop.p, key = ann } = {}) =>
  app.call(sharedViewsRoutes.deleteSharedView, { params: { p, id: String(id) } }, { key })

describe('shared views', () => {
  it('are shared by whoever reads the list, and used by everybody who does', async () => {
    const { status, body } = await share()
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...VIEW, externalPlatformID: shop.projectId, mayChange: true })
    expect(await list()).toEqual([body])
    expect(await list({ key: bob })).toEqual([{ ...body, mayChange: false }])
    expect(await list({ key: root, p: 'all' })).toEqual([{ ...body, mayChange: true }])
    expect(await list({ key: root, p: market.p })).toEqual([])
  })

  it('are changed and deleted by whoever shared them and by who may change the project, by nobody else', async () => {
    const { id } = (await share({ name: 'Short ones' })).body
    for (const refused of [await change(id, { name: 'Mine' }, { key: bob }), await remove(id, { key: bob })]) {
      expect([refused.status, refused.refusal?.code, refused.refusal?.data]).toEqual([
        403,
        'FORBIDDEN',
        { permission: 'project:update' },
      ])
    }
    expect((await change(id, { search: { status: 'FILLED' } })).body).toMatchObject({
      name: 'Short ones',
      search: { status: 'FILLED' },
      layout: VIEW.layout,
    })
    expect((await change(id, { name: 'Paid ones' }, { key: root })).body.name).toBe('Paid ones')
    expect((await remove(id, { key: root })).status).toBe(200)
    expect((await remove(id)).refusal?.code).toBe('SHARED_VIEW_NOT_FOUND')
  })

  it('belong to one project: another one does not know them', async () => {
    const { id } = (await share({ name: 'Of the shop' })).body
    const elsewhere = { p: market.p, key: root }
    expect((await change(id, { name: 'x' }, elsewhere)).refusal?.code).toBe('SHARED_VIEW_NOT_FOUND')
    expect((await remove(id, elsewhere)).refusal?.code).toBe('SHARED_VIEW_NOT_FOUND')
    expect((await change('nonsense', { name: 'x' })).refusal?.code).toBe('SHARED_VIEW_NOT_FOUND')
    expect((await share({ name: 'Foreign' }, { p: market.p })).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await share({ name: 'All' }, { p: 'all', key: root })).refusal?.code).toBe('PROJECT_REQUIRED')
    expect((await share({ name: 'Key' }, { key: shop.apiKey })).refusal?.code).toBe('FORBIDDEN')
  })

  it('have names of their own, whatever the capitals', async () => {
    const { id } = (await share({ name: 'Other' })).body
    for (const taken of [await share({ name: 'BIG ONES' }), await change(id, { name: 'big ones' })]) {
      expect(taken.refusal).toMatchObject({ code: 'SHARED_VIEW_EXISTS', fields: { name: expect.any(String) } })
    }
    expect((await change(id, { name: 'OTHER' })).body.name).toBe('OTHER')
    // The database knows capitals that JavaScript writes as two characters.
    await share({ name: '\u0130zmir' })
    expect((await change(id, { name: '\u0130zmir' })).refusal?.code).toBe('SHARED_VIEW_EXISTS')
    expect((await share({ name: ' ' })).refusal?.fields).toEqual({ name: 'Name is required' })
    expect((await share({ name: 'x'.repeat(41) })).refusal?.code).toBe('VALIDATION_FAILED')
    expect((await share({ name: 'Odd', search: { 'a b': 'c' } })).refusal?.code).toBe('VALIDATION_FAILED')
    expect((await share({ name: 'Long', search: { query: 'x'.repeat(2001) } })).refusal?.code).toBe('VALIDATION_FAILED')
    const long = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((key) => [key, 'x'.repeat(2000)]))
    expect((await share({ name: 'Long together', search: long })).refusal?.code).toBe('VALIDATION_FAILED')
    expect((await share({ name: 'Elsewhere', screen: 'payouts' })).refusal?.code).toBe('VALIDATION_FAILED')
  })

  it('are fifty of a screen at most, however many are shared at once', async () => {
    const left = MOST_SHARED_VIEWS - (await list()).length
    const tried = await Promise.all(Array.from({ length: left + 5 }, (_, n) => share({ name: `View ${n}` })))
    expect(tried.filter(({ status }) => status === 201)).toHaveLength(left)
    const refused = tried.flatMap(({ refusal }) => refusal?.code ?? [])
    expect(refused).toEqual(Array.from({ length: 5 }, () => 'SHARED_VIEW_LIMIT'))
    expect(await list()).toHaveLength(MOST_SHARED_VIEWS)
  })

  it('stay when who shared them was deleted, and are nobody’s then', async () => {
    const { key, operatorId } = await addSession(app, { projectId: market.projectId, permissions: ['payment:read'] })
    await share({ name: 'Left behind' }, { p: market.p, key })
    await sql`UPDATE operators SET deleted_at = now() WHERE id = ${operatorId}`.execute(app.ctx.db)
    expect(await list({ p: market.p, key: root })).toMatchObject([
      { name: 'Left behind', sharedBy: null, mayChange: true },
    ])
  })

  it('of an archived project can be used and not changed', async () => {
    await app.call(projectsRoutes.archiveProject, { params: { p: market.p } }, { key: root })
    const [view] = await list({ p: market.p, key: root })
    expect((await remove(view?.id ?? 0, { p: market.p, key: root })).refusal?.code).toBe('PROJECT_ARCHIVED')
  })
})
