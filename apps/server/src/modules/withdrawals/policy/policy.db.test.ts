import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import type { ChangePayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import { factorWorld } from '../../../testing/accounts/factors.ts'
import { addOperator } from '../../../testing/operators.ts'
import {
  decide,
  dryRunDraft,
  lockPolicy,
  type PastPayout,
  type PayoutHistory,
  type PolicyDecision,
  type PolicyQuestion,
  policyOf,
} from './service.ts'

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
  it('is strict by default, without a stored row', async () => {
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
      pausedAt: null,
      installPausedAt: null,
    })
    const { rows } = await sql`SELECT FROM payout_policies`.execute(app.ctx.db)
    expect(rows).toHaveLength(0)
  })

  it('keeps fields that a change does not name, counts changes and normalises amounts and addresses', async () => {
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

  it('refuses the second of two changes of the same version: EDIT_CONFLICT', async () => {
    const p = await project()
    const both = await Promise.all([
      change(p, { dailyLimitInUSD: '1', version: 1 }),
      change(p, { dailyLimitInUSD: '2', version: 1 }),
    ])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(both.find(({ status }) => status === 409)?.refusal?.code).toBe('EDIT_CONFLICT')
  })

  it.each<[string, ChangePayoutConfig, object]>([
    ['an incomplete address', { allowList: ['0x5aaeb'] }, { code: 'ADDRESS_INVALID' }],
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

describe('D12: who may change it', () => {
  const owner = async () => {
    const p = await project()
    const role = async (name: 'project_lead' | 'project_ops' | 'project_manager') =>
      (await addOperator(app, { projectId: p, role: name })).key
    return {
      p,
      lead: await role('project_lead'),
      ops: await role('project_ops'),
      manager: await role('project_manager'),
    }
  }

  it('is read by everybody who sees payouts, and changed by administrators', async () => {
    const { p, lead, ops, manager } = await owner()
    const stranger = (await addOperator(app, { projectId: shop, role: 'project_lead' })).key
    for (const key of [lead, ops, manager]) {
      expect((await read(p, key)).status).toBe(200)
      const { status, refusal } = await change(p, { paused: true }, key)
      expect([status, refusal?.code]).toEqual([403, 'FORBIDDEN'])
    }
    expect((await read(p, stranger)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await change(p, { paused: true }, stranger)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await change(p, { paused: true })).status).toBe(200)
    expect((await read(p)).body.payoutConfig).toMatchObject({ paused: true, version: 2 })
  })
})

describe('D12: a member with a second factor confirms the change', () => {
  /** An administrator with an authenticator app. */
  async function admin() {
    const one = await world.withTotp()
    await sql`DELETE FROM operator_roles WHERE operator_id = ${one.id}`.execute(app.ctx.db)
    await sql`INSERT INTO operator_roles (operator_id, role_id, created_at) VALUES (${one.id}, 7, now())`.execute(
      app.ctx.db,
    )
    return one
  }
  async function confirm(p: number, body: ChangePayoutConfig, { key, secret }: Awaited<ReturnType<typeof admin>>) {
    const subject = { params: { p: String(p) }, body }
    const { body: asked } = await app.call(authRoutes.prepareStepUp, { body: { action: 'D12', subject } }, { key })
    const proof = { method: 'totp', code: world.codeAt(secret), challengeId: asked.challengeId } as const
    const { body: given } = await app.call(authRoutes.stepUp, { body: proof }, { key })
    return { lines: asked.display.lines, headers: { 'step-up': given.stepUpToken ?? '' } }
  }

  it('names each rule with both values, and takes exactly that', async () => {
    const p = await project()
    const one = await admin()
    const body = { autoApproveLimitInUSD: '50', allowList: [ALLOWED] }
    expect((await change(p, body, one.key)).refusal).toMatchObject({ code: 'STEP_UP_REQUIRED', data: { class: 'M' } })
    const { lines, headers } = await confirm(p, body, one)
    expect(lines.map(({ code, params }) => [code, params])).toEqual([
      ['payout_rule_changed', expect.objectContaining({ rule: 'autoApproveLimitInUSD', from: '0', to: '50' })],
      ['payout_rule_changed', expect.objectContaining({ rule: 'allowList', from: 'none', to: ALLOWED })],
    ])
    const otherwise = await change(p, { ...body, autoApproveLimitInUSD: '51' }, one.key, headers)
    expect(otherwise.refusal?.code).toBe('STEP_UP_MISMATCH')
    expect((await change(p, body, one.key, headers)).status).toBe(200)
  })

  it('refuses a confirmation when another member changed the policy meanwhile: STEP_UP_MISMATCH', async () => {
    const p = await project()
    world.advance(60_000)
    const one = await admin()
    const body = { dailyLimitInUSD: '20000' }
    const { headers } = await confirm(p, body, one)
    expect((await change(p, { quorumRules: [{ aboveUSD: '5', approvals: 2 }] })).status).toBe(200)
    expect((await change(p, body, one.key, headers)).refusal?.code).toBe('STEP_UP_MISMATCH')
  })

  it('pauses at once with the window alone, and resumes with a factor', async () => {
    const p = await project()
    world.advance(60_000)
    const one = await admin()
    expect((await change(p, { paused: true }, one.key)).body.payoutConfig.paused).toBe(true)
    expect((await change(p, { paused: false }, one.key)).refusal?.data).toMatchObject({ class: 'M' })
    expect((await change(p, { paused: true, quorum: 2 }, one.key)).refusal?.data).toMatchObject({ class: 'M' })
    const { lines, headers } = await confirm(p, { paused: false }, one)
    expect(lines.map(({ code }) => code)).toEqual(['sending_resumes'])
    expect((await change(p, { paused: false }, one.key, headers)).body.payoutConfig.paused).toBe(false)
  })
})

describe('X-1: one decision at a time', () => {
  it('keeps a hundred concurrent payouts within a window', async () => {
    const p = await project()
    await change(p, { autoApproveLimitInUSD: '100', hourlyLimitInUSD: '1000' })
    let paid = 0n
    const question: PolicyQuestion = {
      usd: 100_000_000n,
      address: ALLOWED,
      addressProblem: null,
      knownSince: null,
      asset: { isPayable: true, decimals: 6, minUnits: null, maxUnits: null },
      units: 1n,
      alwaysByPeople: false,
    }
    const decided = await Promise.all(
      Array.from({ length: 100 }, () =>
        inTransaction(app.ctx, async (tx): Promise<PolicyDecision> => {
          const policy = await lockPolicy(tx, p)
          const history: PayoutHistory = { lastHour: paid, lastDay: paid }
          // Whoever is not alone here reads the same sum as another.
          await sql`SELECT pg_sleep(0.002)`.execute(tx.db)
          const answer = decide(policy, history, question, tx.now())
          if (answer.kind === 'auto') paid += question.usd ?? 0n
          return answer
        }),
      ),
    )
    expect(decided.filter(({ kind }) => kind === 'auto')).toHaveLength(10)
    expect(paid).toBe(1_000_000_000n)
  })
})

describe('D13: a draft is tried', () => {
  it('answers without history, writes nothing and refuses the same input as a change', async () => {
    const p = await project()
    const run = (body: object) =>
      app.call(payoutPolicyRoutes.dryRunPayoutConfig, { params: { p: String(p) }, body }, { key: world.root() })
    expect((await run({ hourlyLimitInUSD: '1' })).body).toMatchObject({ days: 90, payouts: 0, samples: [] })
    expect((await run({ allowList: ['x'] })).refusal?.code).toBe('ADDRESS_INVALID')
    expect((await read(p)).body.payoutConfig).toMatchObject({ version: 1, hourlyLimitInUSD: '5000' })
  })

  it('is tried on fewer days where there are more payouts than one answer takes', async () => {
    const p = await project()
    const now = app.ctx.now().getTime()
    const newest = (most: number): PastPayout[] =>
      Array.from({ length: most }, (_, n) => ({
        ...{ id: n, createdAt: new Date(now - ((most - n) * 12.5 * 86_400_000) / most), usd: 1_000_000n, address: 'a' },
        ...{ addressProblem: null, knownSince: new Date(0), units: 1n, alwaysByPeople: false },
        asset: { isPayable: true, decimals: 6, minUnits: null, maxUnits: null },
      }))
    const tried = await dryRunDraft(asSystem(app.ctx), p, { days: 90 }, async (_ctx, _p, { most }) => ({
      payouts: newest(most),
      isCut: true,
    }))
    expect(tried.days).toBe(11)
    expect(tried.payouts).toBe(Math.floor((50_000 * 11) / 12.5))
  })
})
