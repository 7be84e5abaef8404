import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'
import { allRoutes } from '@kassa/contract/contract.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { permissionsOfAccess, type Route } from '@kassa/contract/kit/route.ts'
import { isHeldIn } from '@kassa/contract/operators/role-places.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { PERMISSION_NAMES, PERMISSIONS, type RoleName, SCOPES } from '@kassa/contract/permissions.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'

import { roleId } from '../modules/operators/roles/rules.ts'
import { grantsOf } from '../modules/operators/accounts/service.ts'
import { TEST_PASSWORD, type TestApp, testApp } from '../testing/app.ts'
import { checkAccess } from './access.ts'
import type { ErrorBody } from './api-errors.ts'
import { addReferralToken } from '../testing/accounts/credentials.ts'
import { addOperator } from '../testing/operators.ts'
import { openProgramme } from '../testing/referral/programme.ts'
import { openShop, type Shop } from '../testing/shop.ts'

let app: TestApp
let root: string
let own: Shop
let foreign: Shop
const PAYEE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const PAYMENT = { customerID: 'c1', customerEmail: 'payer@example.com', amountInUSD: '10' }

/** A lead of the own project only. */
let lead: string
let leadFacts: { readonly operatorId: number; readonly sessionId: number }
/** The value of each path parameter: rows of the foreign project. */
let foreignIds: Record<string, string>

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  own = await withEveryScope(await openShop(app, root, 'Own'))
  foreign = await openShop(app, root, 'Foreign')
  const { key, operatorId, signedIn } = await addOperator(app, { projectId: own.projectId, role: 'project_lead' })
  lead = key
  leadFacts = { operatorId, sessionId: signedIn.id }
  foreignIds = { ...(await rowsOf(foreign)), x: 'ETH', b: 'ETH', key: 'payram.frontend' }
})
afterAll(() => app.stop())

/** A shop whose key has the scopes that no preset for merchants has, too. */
async function withEveryScope(shop: Shop): Promise<Shop> {
  const body = { name: 'Everything', scopes: [...SCOPES] }
  const created = await app.call(apiKeysRoutes.createApiKey, { params: { p: shop.p }, body }, { key: root })
  return { ...shop, apiKey: created.body.key ?? '' }
}

/** Rows of a shop that have ids of their own: an ended payment with a delivered event, and an open one. */
async function rowsOf(shop: Shop): Promise<Record<string, string>> {
  const params = { p: shop.p }
  const url = 'http://127.0.0.1:9/hook'
  const hook = await app.call(webhooksRoutes.createWebhook, { params, body: { url } }, { key: root })
  const create = () => app.call(paymentsRoutes.createPayment, { body: PAYMENT }, { key: shop.apiKey })
  const ended = { params: { ref: (await create()).body.reference_id }, body: {} }
  await app.call(paymentsRoutes.cancelPaymentByReference, ended, { key: shop.apiKey })
  const { reference_id: ref } = (await create()).body
  const rows = [{ input: { referenceID: ref } }]
  const job = { params, body: { action: 'payment.cancel', rows } }
  const payout = {
    email: 'payer@example.com',
    blockchainCode: 'ETH',
    currencyCode: 'USDC',
    amount: '1',
    toAddress: PAYEE,
  }
  const { body: asked } = await app.call(payoutsRoutes.createMerchantPayout, { body: payout }, { key: shop.apiKey })
  const { body: bulkJob } = await app.call(bulkJobsRoutes.startBulkJob, job, { key: root })
  const first = async (query: ReturnType<typeof sql<{ id: unknown }>>) =>
    String((await query.execute(app.ctx.db)).rows[0]?.id)
  const programme = openProgramme(app, shop, root)
  const event = await programme.event('order', 'payment')
  const campaign = await programme.campaign()
  await addReferralToken(app, shop.projectId)
  return {
    p: shop.p,
    event: String(event.body.id),
    campaign: String(campaign.body.id),
    referrer: await first(sql`SELECT id FROM referrers WHERE project_id = ${shop.projectId}`),
    webhook: String(hook.body.id),
    bulkJob: String(bulkJob.id),
    withdrawal: String(asked.id),
    member: await first(sql`SELECT id FROM customers WHERE project_id = ${shop.projectId}`),
    apiKey: await first(sql`SELECT id FROM api_keys WHERE project_id = ${shop.projectId}`),
    wallet: await first(sql`SELECT wallet_id AS id FROM project_wallets WHERE project_id = ${shop.projectId}`),
    ref,
    deliveryId: await first(sql`SELECT id FROM deliveries WHERE project_id = ${shop.projectId}`),
  }
}

/** Pages of a promoter know no project and no operator: credential-matrix.db.test.ts asks them. */
const guarded = allRoutes().filter(({ access }) => !access.public && !access.reference && !access.referral)
const named = (routes: readonly Route[]) =>
  routes.flatMap((route) =>
    route.paths.map((pattern, path) => [`${route.id} ${route.methods[0]} ${pattern}`, route, path] as const),
  )
const below = (part: RegExp) => named(guarded).filter(([, { paths }, path]) => part.test(paths[path] ?? ''))
const ofProject = below(/\{p\}/)
const ofChild = ofProject.filter(([, { paths }, path]) => /\{(id|ref|deliveryId)\}/.test(paths[path] ?? ''))

/** Whether no role of a project opens a route. */
const isOfInstall = ({ access }: Route) => {
  const permissions = permissionsOfAccess(access)
  return permissions.length > 0 && permissions.every((name) => PERMISSIONS[name].scope === 'install')
}

/** Nouns of paths whose parameter is written otherwise. */
const NOUNS: Readonly<Record<string, string>> = {
  'api-key': 'apiKey',
  'bulk-job': 'bulkJob',
  'referral/campaigns': 'campaign',
  'referral/events': 'event',
  'referral/referrers': 'referrer',
}
const OTHER_NOUNS = ['webhook', 'member', 'withdrawal', 'wallet']

async function ask(route: Route, path: number, params: Record<string, string>, key: string | undefined) {
  const pattern = route.paths[path] ?? ''
  const noun = [...Object.keys(NOUNS), ...OTHER_NOUNS].find((word) => pattern.includes(`/${word}`)) ?? ''
  const id = params[NOUNS[noun] ?? noun] ?? '1'
  const filled = pattern.replace(/\{(\w+)\}/g, (_whole, name: string) => ({ ...params, id })[name] ?? name)
  const response = await app.http.inject({
    method: route.methods[0],
    url: filled.startsWith('//') ? filled.slice(1) : `/api/v1${filled}`,
    headers: { host: 'localhost:8080', ...(key !== undefined && { 'api-key': key }) },
    ...(route.methods[0] !== 'GET' && { body: {} }),
  })
  // A file of rows is no refusal.
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  const refusal = isJson ? (JSON.parse(response.payload) as Partial<ErrorBody>).error : undefined
  return { status: response.statusCode, code: refusal?.code, text: response.payload }
}

/** Which credentials open which route: credential-matrix.db.test.ts. Here: on whose rows. */
describe('http: every route of the contract', () => {
  it.each(named(guarded))('%s: answers an API key only where it has a scope for it', async (_name, route, path) => {
    const { status, code } = await ask(route, path, { ...foreignIds, p: own.p }, own.apiKey)
    if (route.access.scope === undefined) expect([status, code]).toEqual([403, 'FORBIDDEN'])
    else expect(status).not.toBe(403)
  })

  it.each(ofProject)('%s: hides a foreign project from an API key', async (_name, route, path) => {
    const { status, code } = await ask(route, path, foreignIds, own.apiKey)
    expect([status, code]).toEqual(route.access.scope === undefined ? [403, 'FORBIDDEN'] : [404, 'PROJECT_NOT_FOUND'])
  })

  it.each(ofProject)('%s: hides a foreign project from an operator', async (_name, route, path) => {
    expect(await ask(route, path, foreignIds, lead)).toMatchObject({ status: 404, code: 'PROJECT_NOT_FOUND' })
  })

  it.each(ofChild)('%s: hides what is foreign under the own project', async (_name, route, path) => {
    for (const p of [own.p, 'all']) {
      for (const key of [lead, ...(route.access.scope === undefined ? [] : [own.apiKey])]) {
        const { status, text } = await ask(route, path, { ...foreignIds, p }, key)
        // Objects of the install, such as a contract, are closed to members with roles in projects only.
        const isClosed = isOfInstall(route)
        // A write that names no project is refused before that.
        expect(isClosed ? (p === 'all' ? [400, 403] : [403]) : [400, 404]).toContain(status)
        expect(text).not.toContain('payer@example.com')
      }
    }
  })

  it.each(ofChild.filter(([, { methods }]) => methods[0] === 'GET'))(
    '%s: finds the same under its own project',
    async (_name, route, path) => {
      expect((await ask(route, path, foreignIds, root)).status).toBe(200)
    },
  )

  it.each(ofProject)('%s: says of all projects nothing that is foreign', async (_name, route, path) => {
    for (const key of [lead, own.apiKey]) {
      const { text } = await ask(route, path, { ...foreignIds, p: 'all' }, key)
      expect(text).not.toContain('"Foreign')
      expect(text).not.toContain(`"externalPlatformID":${foreign.p},`)
      expect(text).not.toContain(foreignIds['ref'])
    }
  })

  it.each(named(guarded).filter(([, { access }]) => access.permission !== undefined))(
    '%s: reaches every project by no permission that one project gives',
    async (_name, route) => {
      const { operatorId, sessionId } = leadFacts
      const grants = await grantsOf(app.ctx, operatorId)
      const facts = {
        ...{ email: '', restricted: false, stepUpUntil: new Date('2999-01-01') },
        ...{ secondFactors: [], missingFactor: null },
      }
      const caller = { kind: 'operator', operatorId, sessionId, grants, ...facts } as const
      const project = route.paths[0].includes('{p}') ? 'all' : undefined
      const question = { route, caller, project, isWrite: false, now: new Date() }
      const reached = await checkAccess(app.ctx, async () => null, question).catch((thrown: unknown) => {
        expect(thrown).toBeInstanceOf(ApiError)
        return { scope: { projectIds: [] } }
      })
      expect([[], [own.projectId]]).toContainEqual(reached.scope.projectIds)
    },
  )
})

describe('http: every route that only a role of the whole install opens', () => {
  const forInstall = named(guarded).filter(([, { access }]) => {
    const permissions = permissionsOfAccess(access)
    return permissions.length > 0 && permissions.every((name) => !isHeldIn(name, 'project'))
  })
  let member: string

  beforeAll(async () => {
    const { operatorId, key } = await addOperator(app, { projectId: own.projectId, role: 'project_ops' })
    // As a version before this rule stored it: every permission there is, held in one project.
    await sql`
      WITH role AS (
        INSERT INTO roles (name, display_name, description, place, permissions)
        VALUES ('everything', 'Everything', '', 'project', ${PERMISSION_NAMES}) RETURNING id)
      UPDATE operator_roles SET role_id = (SELECT id FROM role) WHERE operator_id = ${operatorId}`.execute(app.ctx.db)
    member = key
  })

  it.each(forInstall)('%s: refuses who holds every permission in one project', async (_name, route, path) => {
    const { status, code } = await ask(route, path, { ...foreignIds, p: own.p }, member)
    expect([status, code]).toEqual([403, 'FORBIDDEN'])
  })

  it('are those of wallets, sweeps, contracts, vaults, roles, settings, blockchains and the system', () => {
    const opened = new Set(forInstall.flatMap(([, { access }]) => permissionsOfAccess(access)))
    const onlyOfInstall = PERMISSION_NAMES.filter((name) => !isHeldIn(name, 'project'))
    expect([...opened].toSorted()).toEqual(onlyOfInstall.toSorted())
  })
})

/** Operators who ask, and operators they ask about: where each has which role, `null` for the whole install. */
const PLACES = {
  root: [[null, 'root']],
  admin: [[null, 'admin']],
  'an auditor of everything': [[null, 'auditor']],
  'a lead here': [['own', 'project_lead']],
  'another lead here': [['own', 'project_lead']],
  'a lead elsewhere': [['foreign', 'project_lead']],
  'a lead of both': [
    ['own', 'project_lead'],
    ['foreign', 'project_lead'],
  ],
  'ops here': [['own', 'project_ops']],
  'ops elsewhere': [['foreign', 'project_ops']],
  'ops in both': [
    ['own', 'project_ops'],
    ['foreign', 'project_ops'],
  ],
  'a manager here and lead elsewhere': [
    ['own', 'project_manager'],
    ['foreign', 'project_lead'],
  ],
  'an auditor here': [['own', 'auditor']],
  'nobody anywhere': [],
} as const satisfies Record<string, readonly (readonly ['own' | 'foreign' | null, RoleName])[]>
type Who = keyof typeof PLACES
const everybody = Object.keys(PLACES) as Who[]

/** Whom each may manage, written out: root all, admin all but root and admin, a lead those below in the own projects. */
const MANAGES: Partial<Record<Who, readonly Who[]>> = {
  root: everybody,
  admin: everybody.filter((who) => who !== 'root' && who !== 'admin'),
  'a lead here': ['ops here'],
  'another lead here': ['ops here'],
  'a lead elsewhere': ['ops elsewhere'],
  'a lead of both': ['ops here', 'ops elsewhere', 'ops in both'],
  'a manager here and lead elsewhere': ['ops elsewhere'],
}

/** The members each one sees, written out: managers and auditors see those who share a project with them. */
const READS: Partial<Record<Who, readonly Who[]>> = {
  root: everybody,
  admin: everybody,
  'an auditor of everything': everybody,
  'a lead here': sharing('own'),
  'another lead here': sharing('own'),
  'a lead elsewhere': sharing('foreign'),
  'a lead of both': everybody.filter((who) => who !== 'nobody anywhere'),
  'a manager here and lead elsewhere': [...sharing('foreign'), 'a manager here and lead elsewhere'],
  'an auditor here': sharing('own'),
}

function sharing(project: 'own' | 'foreign'): Who[] {
  return everybody.filter((who) => PLACES[who].some(([place]) => place === null || place === project))
}

/** What bodies of these routes may ask for. */
const SAMPLES: Readonly<Record<string, unknown>> = { password: TEST_PASSWORD, name: 'Anna', roleName: 'project_ops' }

describe('http: every route on an operator', () => {
  const routes = named(guarded).filter(([, { paths }, path]) => paths[path]?.startsWith('/member/{id}'))
  const people = new Map<Who, { id: number; key: string }>()

  beforeAll(async () => {
    for (const who of everybody) {
      const { operatorId, key } = await addOperator(app, { projectId: own.projectId, role: 'project_ops' })
      await place(who, operatorId)
      people.set(who, { id: operatorId, key })
    }
  })

  async function place(who: Who, operatorId: number): Promise<void> {
    await sql`DELETE FROM operator_roles WHERE operator_id = ${operatorId}`.execute(app.ctx.db)
    for (const [where, role] of PLACES[who]) {
      const projectId = where && { own, foreign }[where].projectId
      await sql`INSERT INTO operator_roles (operator_id, project_id, role_id, created_at)
                VALUES (${operatorId}, ${projectId}, ${roleId(role)}, now())`.execute(app.ctx.db)
    }
  }

  /** Where `who` gives a role: in a project that they lead. */
  const projectOf = (who: Who) => (MANAGES[who]?.includes('ops here') ? own : foreign).projectId

  async function manage(route: Route, path: number, by: Who, about: number): Promise<string> {
    const { key } = people.get(by) ?? { key: '' }
    const samples: Record<string, unknown> = { ...SAMPLES, projectIDs: [projectOf(by)] }
    // Only who is invited is sent an invitation again.
    const isInvited = route.id === 'O12' && people.get(by)?.id !== about
    if (isInvited) await sql`UPDATE operators SET state = 'invited' WHERE id = ${about}`.execute(app.ctx.db)
    const fields = route.body instanceof z.ZodMiniObject ? Object.keys(route.body.shape) : []
    const response = await app.http.inject({
      method: route.methods[0],
      url: `/api/v1${route.paths[path]?.replace('{id}', String(about))}`,
      headers: { host: 'localhost:8080', 'api-key': key },
      ...(route.methods[0] !== 'GET' && {
        body: Object.fromEntries(fields.flatMap((name) => (name in samples ? [[name, samples[name]]] : []))),
      }),
    })
    // What was decided about one must not change what is asked next.
    await sql`UPDATE operators SET reset_password_required = false, state = 'active', deleted_at = NULL`.execute(
      app.ctx.db,
    )
    await sql`UPDATE sessions SET restricted = false, ended_at = NULL`.execute(app.ctx.db)
    const [who] = [...people].find(([, { id }]) => id === about) ?? []
    if (who && /^O(7|8|11)$/.test(route.id)) await place(who, about)
    return response.statusCode < 300 ? 'done' : (JSON.parse(response.payload) as ErrorBody).error.code
  }

  const [reads, writes] = [true, false].map((isRead) =>
    routes.filter(([, { access }]) => permissionsOfAccess(access).includes('operator:read') === isRead),
  ) as [typeof routes, typeof routes]

  const isManagers = ({ access }: Route) => permissionsOfAccess(access).includes('operator:write')

  it.each(reads.flatMap(([name, route, path]) => everybody.map((who) => [name, who, route, path] as const)))(
    '%s: tells %s of those who share a place of work',
    async (_name, who, route, path) => {
      for (const about of everybody) {
        const expected = READS[who]?.includes(about) ? 'done' : READS[who] ? 'MEMBER_NOT_FOUND' : 'FORBIDDEN'
        expect([about, await manage(route, path, who, people.get(about)?.id ?? 0)]).toEqual([about, expected])
      }
    },
  )

  it.each(writes.flatMap(([name, route, path]) => everybody.map((who) => [name, who, route, path] as const)))(
    '%s: lets %s manage whom the rule names, and never themselves',
    async (_name, who, route, path) => {
      const answers: Record<string, string> = {}
      const expected: Record<string, unknown> = {}
      // What asks for role:write is the root's alone (api.md O15).
      const isManager = MANAGES[who] !== undefined && (isManagers(route) || who === 'root')
      for (const about of everybody) {
        answers[about] = await manage(route, path, who, people.get(about)?.id ?? 0)
        const refusals = ['ROLE_ABOVE_YOURS', 'MEMBER_NOT_FOUND']
        if (!isManager) expected[about] = 'FORBIDDEN'
        else if (about === who) expected[about] = 'CANNOT_CHANGE_SELF'
        else expected[about] = MANAGES[who]?.includes(about) ? 'done' : expect.toBeOneOf(refusals)
      }
      expect(answers).toEqual(expected)
    },
  )

  it.each(writes.filter(([, route]) => isManagers(route)))(
    '%s: tells a lead nothing of who works elsewhere',
    async (_name, route, path) => {
      for (const [who, { id }] of people) {
        const places: readonly (readonly [string | null, string])[] = PLACES[who]
        const isSeen = places.some(([place]) => place !== 'foreign')
        const answer = await manage(route, path, 'a lead here', id)
        expect([who, answer === 'MEMBER_NOT_FOUND']).toEqual([who, !isSeen])
      }
    },
  )
})
