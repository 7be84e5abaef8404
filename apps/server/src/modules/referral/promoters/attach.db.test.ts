import { promotersRoutes } from '@kassa/contract/referral/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { openProgramme } from '../../../testing/referral/programme.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { attachCampaigns } from './service.ts'

let app: TestApp
let root: string
let shop: Shop

beforeAll(async () => {
  app = await testApp({ config: { siteUrl: 'https://pay.shop.example' } })
  root = await app.signUp()
  shop = await openShop(app, root)
})
afterAll(() => app.stop())

describe('promoters.attachCampaigns', () => {
  it('leaves the campaigns of one of two calls that come at once, not those of both', async () => {
    const programme = openProgramme(app, shop, root)
    await programme.event('order', 'payment')
    const { id } = (await programme.signIn('attached')).body.referrer
    const campaign = async (name: string) => (await programme.campaign({ name, isDefault: false })).body.id
    const [first, second] = [await campaign('First'), await campaign('Second')]
    const scope = { projectId: shop.projectId, projectIds: [shop.projectId] }
    let other: Promise<unknown> = Promise.resolve()
    await inTransaction(asSystem(app.ctx), async (tx) => {
      await attachCampaigns(tx, scope, id, [first])
      other = app.call(
        promotersRoutes.setPromoterCampaigns,
        { params: { p: shop.p, id }, body: { campaignIDs: [second] } },
        { key: root },
      )
      const isWaitedFor = vi.waitUntil(async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`.execute(tx.db)
        return rows.length > 0
      }, 10_000)
      await Promise.race([other, isWaitedFor])
    })
    await other
    const { rows } = await sql<{ id: number }>`
      SELECT campaign_id AS id FROM campaign_referrers WHERE referrer_id = ${id}`.execute(app.ctx.db)
    expect(rows.map((row) => row.id)).toEqual([second])
  })
})
