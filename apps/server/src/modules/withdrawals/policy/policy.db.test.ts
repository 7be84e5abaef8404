import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import type { ChangePayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { inTransaction } from '../../../context.ts'
import { TEST_PASSWORD } from '../../../testing/app.ts'
import { factorWorld } from '../../../testing/factors.ts'
import { addOperator } from '../../../testing/operators.ts'
import { lockPolicy, policyOf } from './service.ts'

const world = await factorWorld()
const { app } = world
let shop: number

const ALLOWED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

beforeAll(async () => {
  shop = await project()
})
afterAll(() => app.stop())

async function project(): Promise<number> {
  const name = `Shop ${Math.random()}`
  return (await app.call(projectsRoutes.createProject, { body: { name } }, { key: world.root() })).body.id
}
const read = (p: number, key = world.root()) =>
  app.call(payoutPolicyRoutes.getPayoutConfig, { params: { p: String(p) } }, { key })
const change = (p: number, body: ChangePayoutConfig, key = world.root(), headers: Record<string, string> = {}) =>
  app.call(payoutPolicyRoutes.changePayoutConfig, { params: { p: String(p) }, body }, { key, headers })

describe('D12: the payout policy of a project', () => {
  it('is strict before anybody says otherwise, and stores nothing to say so', async () => {
    const { body } = await read(shop)
    expect(body.payoutConfig).toEqual({
      autoApproveLimitInUSD: '0',
      hourlyLimitInUSD: '5000',
      dailyLimitInUSD: '10000',
      quorum: 1,
      quorumRules: [],
      fourEyes: 'auto',
      allowList: [],
      recipientDelayHours: 0,
      paused: false,
      version: 1,
      updatedAt: null,
      approvers: 1,
      fourEyesInForce: false,
    })
    const { rows } = await sql`SELECT FROM payout_policies`.execute(app.ctx.db)
    expect(rows).toHaveLength(0)
  })

  it('keeps what a change does not name, counts changes and spells amounts and addresses in one way', async () => {
    const p = await project()
    const { body } = await change(p, { hourlyLimitInUSD: '0250.500', allowList: [ALLOWED, ALLOWED] })
    expect(body.payoutConfig).toMatchObject({
      hourlyLimitInUSD: '250.5',
      dailyLimitInUSD: '10000',
      allowList: [ALLOWED],
      version: 2,
    })
    const again = await change(p, { hourlyLimitInUSD: '250.5' })
    expect(again.body.payoutConfig.version).toBe(2)
    const policy = await policyOf(app.ctx, p)
    expect(policy).toMatchObject({ version: 2, hourlyLimit: 250_500_000n, allowList: new Set([ALLOWED]) })
  })

  it('refuses the second of two who change what both have read: EDIT_CONFLICT', async () => {
    const p = await project()
    const both = await Promise.all([
      change(p, { dailyLimitInUSD: '1', version: 1 }),
      change(p, { dailyLimitInUSD: '2', version: 1 }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.refusal?.code).toBe('EDIT_CONFLICT')
  })

  it.each<[string, ChangePayoutConfig, object]>([
    ['an address of nobody', { allowList: ['0x5aaeb'] }, { code: 'ADDRESS_INVALID' }],
    ['a checksum that is wrong', { allowList: [ALLOWED.toLowerCase()] }, { code: 'ADDRESS_INVALID' }],
    [
      'two steps above one amount',
      {
        quorumRules: [
          { aboveUSD: '5', approvals: 1 },
          { aboveUSD: '5.0', approvals: 1 },
        ],
      },
      { code: 'VALIDATION_FAILED', fields: { quorumRules: 'Two steps above $5' } },
    ],
    ['six approvals', { quorum: 6 }, { code: 'VALIDATION_FAILED' }],
    ['an amount below zero', { hourlyLimitInUSD: '-1' }, { code: 'VALIDATION_FAILED' }],
  ])('refuses %s', async (_, body, refusal) => {
    expect((await change(shop, body)).refusal).toMatchObject(refusal)
  })

  it('refuses more approvals than there are people: POLICY_UNREACHABLE; pausing never', async () => {
    const p = await project()
    const { refusal } = await change(p, { quorum: 2 })
    expect([refusal?.code, refusal?.message]).toEqual(['POLICY_UNREACHABLE', 'Fewer than 2 people may approve.'])
    const step = await change(p, { quorumRules: [{ aboveUSD: '500', approvals: 2 }] })
    expect(step.refusal?.code).toBe('POLICY_UNREACHABLE')
    // The only one who may approve may also ask: with four eyes nobody is left for their payouts.
    expect((await change(p, { fourEyes: 'always' })).refusal?.data).toEqual({ needed: 2, approvers: 1 })
    await sql`INSERT INTO payout_policies (project_id, quorum, updated_at) VALUES (${p}, 3, now())`.execute(app.ctx.db)
    expect((await change(p, { paused: true })).body.payoutConfig).toMatchObject({ paused: true, quorum: 3 })
  })
})
