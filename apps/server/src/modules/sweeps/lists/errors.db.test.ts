import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { TestApp } from '../../../testing/app.ts'
import { openSweepShop, type OpenSweepShop, type SweepShop } from '../../../testing/money-out/sweeps.ts'
import { addOperator } from '../../../testing/operators.ts'

let opened: OpenSweepShop
let app: TestApp
let shop: SweepShop

beforeAll(async () => {
  opened = await openSweepShop()
  ;({ app, shop } = opened)
}, 120_000)
afterAll(() => opened.stop())

describe('sweeps of a wallet that two projects share', () => {
  it('show what went wrong at an address to those who see its project', async () => {
    const { db } = app.ctx
    const [own, other] = await shop.paid(300_000_000n, 200_000_000n)
    if (!own || !other) throw new Error('Nobody has paid')
    const { rows } = await sql<{ project_id: number }>`SELECT project_id FROM addresses WHERE id = ${own.id}`.execute(
      db,
    )
    const projectId = rows[0]?.project_id ?? 0
    const member = await addOperator(app, { projectId, role: 'project_lead' })
    const second = await app.call(projectsRoutes.createProject, { body: { name: 'Second' } }, { key: shop.key })
    await sql`UPDATE addresses SET project_id = ${second.body.id} WHERE id = ${other.id}`.execute(db)
    const id = await shop.begin()
    for (const { address } of [own, other]) {
      await sql`INSERT INTO sweep_errors (sweep_id, wallet_id, asset_id, code, params, address, tx_id, at)
        SELECT id, wallet_id, asset_id, 'TOKEN_REFUSED', ${JSON.stringify({ address, message: null })}::jsonb, ${address}, NULL,
          now() FROM sweeps WHERE id = ${id}`.execute(db)
    }
    const errorsFor = async (key: string) => {
      const { body } = await app.call(sweepsRoutes.getSweep, { params: { id } }, { key })
      return [body.lastSweepError?.address, body.errors.map(({ address }) => address)]
    }
    expect(await errorsFor(shop.key)).toEqual([other.address, [other.address, own.address]])
    expect(await errorsFor(member.key)).toEqual([own.address, [own.address]])
    const p = String(projectId)
    const { body: funds } = await app.call(sweepsRoutes.listAddressBalances, { params: { p } }, { key: member.key })
    expect(funds.map(({ lastSweepError: error }) => error?.address)).toEqual([own.address])
  })
})
