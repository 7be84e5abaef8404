/**
 * Every route of the contract × every kind of credential. What must come out is computed here from the contract alone. A cell
 * that must be refused asks the program itself; one that must pass asks a server whose doors are the program's and whose
 * handlers only say that they were reached, so that no cell changes what the next one finds.
 */
import { randomBytes } from 'node:crypto'

import { UNLOGGED_WRITES } from '@kassa/contract/audit/events.ts'
import { CONTRACT } from '@kassa/contract/contract.ts'
import { permissionsOfAccess, type Route, type Routes } from '@kassa/contract/kit/route.ts'
import { type Permission, PERMISSIONS, SCOPES, type Scope } from '@kassa/contract/permissions.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'

import type { Context } from '../context.ts'
import { findApiKey, noteApiKeyUse } from '../modules/api-keys/service.ts'
import { auditHook } from '../modules/audit/service.ts'
import { endedByPassword, findSession } from '../modules/auth/sessions/service.ts'
import { findDevice } from '../modules/devices/service.ts'
import { spendToken } from '../modules/auth/step-up/service.ts'
import { findProject } from '../modules/projects/service.ts'
import { findPromoter } from '../modules/referral/page/service.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { findUnaudited, type NotedWrites, noteWrites } from '../testing/audited-writes.ts'
import {
  addApiKey,
  addDevice,
  addReferralToken,
  addSession,
  addStepUpToken,
  hoursAway,
  type TestSession,
} from '../testing/accounts/credentials.ts'
import {
  asDevice,
  asKey,
  asAnonymous,
  asOperator,
  bearer,
  byKey,
  type Cell,
  CELLS,
  type Headers,
  isOfProject,
  isOpen,
  isOfPromoter,
  type Kind,
  mapped,
  oncePerShape,
  PASSES,
  withoutPermission,
  withPresence,
} from '../testing/accounts/credential-verdicts.ts'
import { openShop, type Shop } from '../testing/shop.ts'
import { serve } from './handlers.ts'
import { mount } from './mount.ts'
import { createRateLimiter } from './rate-limit/rate-limit.ts'
import { createServer } from './server.ts'
import { digestOf } from './step-up/step-up.ts'

let app: TestApp
/** The doors of the program, with handlers that only say that they were reached. */
let doors: FastifyInstance
/** The writes that the doors let through. */
let writes: NotedWrites
let own: Shop
let foreign: Shop

const EVERY = Object.keys(PERMISSIONS) as Permission[]
const DESCRIPTION = { lines: [], happens: {} }

beforeAll(async () => {
  app = await testApp()
  const root = await app.signUp()
  own = await openShop(app, root, 'Own')
  foreign = await openShop(app, root, 'Foreign')
  doors = await createServer(app.ctx, { origins: async () => [] })
  writes = noteWrites(doors)
  const options = {
    ...{
      ctx: app.ctx,
      lookups: { findSession, endedByPassword, findApiKey, findDevice, noteApiKeyUse, findPromoter },
      spendToken,
    },
    ...{ origins: async () => [], limiter: createRateLimiter({ factor: 1000 }), isStrict: true },
    findProject: async (ctx: Context, id: number) => {
      const project = await findProject(ctx, id)
      return project && { ...project, isArchived: false }
    },
    audit: auditHook,
  }
  for (const routes of Object.values<Routes>(CONTRACT)) {
    const each = <T>(value: T) => Object.fromEntries(Object.keys(routes).map((name) => [name, value]))
    const openDoors = Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, doorOf(route)]))
    const bound = Object.entries(routes).filter(([, { access }]) => access.stepUp === 'M')
    const describers = Object.fromEntries(bound.map(([name]) => [name, async () => DESCRIPTION]))
    mount(
      doors,
      options,
      serve(
        openDoors,
        each(async () => ({ reached: true })),
        { describers },
      ),
    )
  }
})
afterAll(async () => {
  await doors.close()
  await app.stop()
})

/** The route with its access as declared, which takes any input. */
function doorOf({
  params: _params,
  query: _query,
  body: _body,
  stream: _stream,
  dedupe: _dedupe,
  ...route
}: Route): Route {
  return { ...route, status: 200, response: z.object({ reached: z.literal(true) }) }
}

async function send(server: FastifyInstance, { method, pattern }: Cell, headers: Headers): Promise<string> {
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => (name === 'p' ? own.p : '1'))
  const response = await server.inject({
    method: method as 'GET',
    url: path.startsWith('//') ? path.slice(1) : `/api/v1${path}`,
    headers: { host: 'localhost:8080', ...headers },
    ...(method !== 'GET' && { body: {} }),
  })
  const { reached, error } = JSON.parse(response.payload) as { reached?: true; error?: { code: string } | string }
  if (reached) return PASSES
  return (typeof error === 'string' ? error : error?.code) ?? `${response.statusCode}`
}

/** Asks where the cell must be refused, and at the doors where it must pass or has a token, which is looked at after the input. */
async function answerOf(cell: Cell, kind: Kind): Promise<string> {
  const headers = typeof kind.headers === 'function' ? await kind.headers(cell) : kind.headers
  const isAtDoors = kind.verdict(cell) === PASSES || cell.route.access.stepUp === 'M'
  return send(isAtDoors ? doors : app.http, cell, headers)
}

/** What became of a cell with each kind of credential, and what the contract declares. */
async function outcomesOf(cell: Cell, kinds: Readonly<Record<string, Kind>>) {
  const asked = Object.entries(kinds).filter(([, { asks }]) => asks?.(cell) ?? true)
  const answers = await Promise.all(asked.map(async ([name, kind]) => [name, await answerOf(cell, kind)] as const))
  const declared = asked.map(([name, { verdict }]) => [name, verdict(cell)] as const)
  return { answers: Object.fromEntries(answers), declared: Object.fromEntries(declared) }
}

/** Sessions and keys for the routes that ask for the same; made once. */
function once(make: (cell: Cell) => Promise<string>, by: (cell: Cell) => string) {
  const made = new Map<string, Promise<string>>()
  return async (cell: Cell) => {
    const name = by(cell)
    const key = made.get(name) ?? make(cell)
    made.set(name, key)
    return bearer(await key)
  }
}

async function nobodies(): Promise<Record<string, Kind>> {
  const session = async (facts: object) =>
    bearer((await addSession(app, { projectId: own.projectId, permissions: EVERY, ...facts })).key)
  const key = async (facts: object) => byKey(await addApiKey(app, own.projectId, { ...facts }))
  const everywhere: Record<string, Headers> = {
    none: {},
    garbage: bearer(`ks_${randomBytes(32).toString('base64url')}`),
    'an expired session': await session({ session: { expires_at: hoursAway(-1) } }),
    'a revoked operator': await session({ operator: { state: 'inactive' } }),
    'a revoked key': await key({ status: 'revoked' }),
  }
  const oncePerShapeOnly: Record<string, Headers> = {
    'an API key nobody has': byKey(`kp_test_${randomBytes(32).toString('base64url')}`),
    'garbage in front of a good key': { ...bearer('garbage'), ...byKey(own.apiKey) },
    'a good key as another scheme': { authorization: `Basic ${own.apiKey}` },
    'a session idle for too long': await session({ session: { idle_expires_at: hoursAway(-1) } }),
    'a session that was signed out': await session({ session: { ended_at: hoursAway(-1) } }),
    'a deleted operator': await session({ operator: { deleted_at: hoursAway(-1) } }),
    'an invited operator': await session({ operator: { state: 'invited' } }),
    'an expired key': await key({ expires_at: hoursAway(-1) }),
    'an inactive key': await key({ status: 'inactive' }),
    'a key from a foreign address': await key({ allowed_ips: ['203.0.113.0/24'] }),
  }
  return {
    ...mapped(everywhere, (headers) => ({ headers, verdict: asAnonymous })),
    ...mapped(oncePerShapeOnly, (headers) => ({ headers, verdict: asAnonymous, asks: oncePerShape })),
  }
}

async function keys(): Promise<Record<string, Kind>> {
  const scopeOf = ({ route }: Cell) => String(route.access.scope)
  const withScopes = (choose: (cell: Cell) => readonly Scope[]) =>
    once((cell) => addApiKey(app, own.projectId, { scopes: choose(cell) }), scopeOf)
  return {
    'a key with every scope': { headers: byKey(await addApiKey(app, own.projectId)), verdict: asKey(() => PASSES) },
    'a key with the scope alone': {
      headers: withScopes(({ route: { access } }) => (access.scope ? [access.scope] : [])),
      verdict: asKey(() => PASSES),
    },
    'a key without the scope': {
      headers: withScopes(({ route: { access } }) => SCOPES.filter((scope) => scope !== access.scope)),
      verdict: asKey(() => 'FORBIDDEN'),
    },
    'a key of another project': {
      headers: byKey(await addApiKey(app, foreign.projectId)),
      verdict: asKey((cell) => (isOfProject(cell) ? 'PROJECT_NOT_FOUND' : PASSES)),
    },
  }
}

async function promoters(): Promise<Record<string, Kind>> {
  const token = async (facts = {}) => ({ 'referral-token': await addReferralToken(app, own.projectId, facts) })
  const passes = (cell: Cell) => (isOfPromoter(cell) ? PASSES : asAnonymous(cell))
  const good = await token()
  return {
    'a promoter': { headers: good, verdict: passes },
    'a promoter beside a session': {
      headers: { ...good, ...bearer((await addSession(app, { projectId: own.projectId, permissions: EVERY })).key) },
      verdict: (cell) => (isOfPromoter(cell) ? PASSES : asOperator(() => PASSES)(cell)),
      asks: oncePerShape,
    },
    'a promoter whose link is too old': { headers: await token({ expires_at: hoursAway(-1) }), verdict: asAnonymous },
    'a token of a promoter as a key': { headers: byKey(good['referral-token']), verdict: asAnonymous },
    'a token that nobody has': { headers: { 'referral-token': 'kref_garbage' }, verdict: asAnonymous },
  }
}

async function devices(): Promise<Record<string, Kind>> {
  const unpaired = await addDevice(app, { unpaired_at: hoursAway(-1) })
  return {
    'a paired device': { headers: bearer(await addDevice(app)), verdict: asDevice },
    'an unpaired device': { headers: bearer(unpaired), verdict: asAnonymous, asks: oncePerShape },
  }
}

async function operators(): Promise<Record<string, Kind>> {
  const permissionsBy = ({ route }: Cell) => permissionsOfAccess(route.access).join()
  const { projectId } = own
  const withPermissions = (choose: (cell: Cell) => readonly Permission[]) =>
    once(async (cell) => (await addSession(app, { projectId, permissions: choose(cell) })).key, permissionsBy)
  const full = async (facts = {}) => addSession(app, { projectId, permissions: EVERY, ...facts })
  const restricted = ({ route: { access } }: Cell) => (access.restricted ? PASSES : 'RESET_PASSWORD_REQUIRED')
  const asRestricted = (cell: Cell) => (isOpen(cell) || isOfPromoter(cell) ? asAnonymous(cell) : restricted(cell))
  return {
    'the first permission alone': {
      headers: withPermissions(({ route }) => permissionsOfAccess(route.access).slice(0, 1)),
      verdict: asOperator(() => PASSES),
    },
    'the last permission alone': {
      headers: withPermissions(({ route }) => permissionsOfAccess(route.access).slice(-1)),
      verdict: asOperator(() => PASSES),
      asks: ({ route }) => permissionsOfAccess(route.access).length > 1,
    },
    'every other permission': {
      headers: withPermissions(({ route }) =>
        EVERY.filter((permission) => !permissionsOfAccess(route.access).includes(permission)),
      ),
      verdict: withoutPermission,
    },
    'every permission elsewhere': {
      headers: bearer((await full({ projectId: foreign.projectId })).key),
      verdict: asOperator((cell) => (isOfProject(cell) ? 'PROJECT_NOT_FOUND' : PASSES)),
    },
    'a restricted session': {
      headers: bearer((await full({ session: { restricted: true } })).key),
      verdict: asRestricted,
    },
    'an operator who must choose a password': {
      headers: bearer((await full({ operator: { reset_password_required: true } })).key),
      verdict: asRestricted,
      asks: oncePerShape,
    },
  }
}

async function presence(): Promise<Record<string, Kind>> {
  const facts = { projectId: own.projectId, permissions: EVERY }
  const closed = await addSession(app, { ...facts, session: { step_up_until: null } })
  const past = await addSession(app, { ...facts, session: { step_up_until: hoursAway(-1) } })
  const other = await addSession(app, facts)
  const withFactor = await addSession(app, { ...facts, operator: { second_factors: ['totp'] } })
  type Token = { by?: TestSession; action?: string; digest?: Buffer; expires_at?: Date }
  const token =
    ({ by = closed, action, digest, ...more }: Token = {}, session = closed) =>
    async ({ route }: Cell): Promise<Headers> => {
      const own = digest ?? digestOf(route.id, DESCRIPTION)
      const row = { session_id: by.sessionId, action: action ?? route.id, digest: own, ...more }
      return { ...bearer(session.key), 'step-up': await addStepUpToken(app, row) }
    }
  const used = async (cell: Cell) => {
    const headers = await token()(cell)
    if (cell.route.access.stepUp === 'M') expect(await send(doors, cell, headers)).toBe(PASSES)
    return headers
  }
  const refused = withPresence({ S: 'STEP_UP_REQUIRED', M: 'STEP_UP_REQUIRED' })
  const asks = ({ route: { access } }: Cell) => access.stepUp !== undefined
  return {
    'no window': { headers: bearer(closed.key), verdict: refused },
    'a window that is over': { headers: bearer(past.key), verdict: refused, asks },
    'a token for this call': { headers: token(), verdict: withPresence({ S: 'STEP_UP_REQUIRED' }), asks },
    'a stale token': { headers: token({ expires_at: hoursAway(-1) }), verdict: refused, asks },
    'a used token': { headers: used, verdict: refused, asks },
    'a token of another session': { headers: token({ by: other }), verdict: refused, asks },
    'a token of another route': { headers: token({ action: 'A0' }), verdict: refused, asks },
    'a token nobody has': { headers: { ...bearer(closed.key), 'step-up': 'su_garbage' }, verdict: refused, asks },
    'a stale token and a window': {
      headers: token({ by: other, expires_at: hoursAway(-1) }, other),
      verdict: withPresence({ M: 'STEP_UP_REQUIRED' }),
      asks,
    },
    'a token for another call': {
      headers: token({ digest: randomBytes(32) }),
      verdict: withPresence({ S: 'STEP_UP_REQUIRED', M: 'STEP_UP_MISMATCH' }),
      asks,
    },
    'a window, but a second factor': {
      headers: bearer(withFactor.key),
      verdict: withPresence({ M: 'STEP_UP_REQUIRED' }),
      asks,
    },
  }
}

/** Sessions without a second factor, where the install asks for one. */
async function withoutFactor(policy: 'money' | 'always'): Promise<Record<string, Kind>> {
  await sql`INSERT INTO configuration (key, value) VALUES ('security.second_factor', ${policy})
            ON CONFLICT (key) DO UPDATE SET value = ${policy}`.execute(app.ctx.db)
  const facts = { projectId: own.projectId, permissions: EVERY }
  const missing = 'SECOND_FACTOR_SETUP_REQUIRED'
  const always = (cell: Cell) =>
    isOpen(cell) || isOfPromoter(cell) ? asAnonymous(cell) : cell.route.access.enrolment ? PASSES : missing
  return {
    'no second factor': {
      headers: bearer((await addSession(app, facts)).key),
      verdict: policy === 'always' ? always : withPresence({ M: missing }),
      asks: (cell) => policy === 'always' || cell.route.access.stepUp === 'M' || oncePerShape(cell),
    },
    'a second factor': {
      headers: bearer((await addSession(app, { ...facts, operator: { second_factors: ['totp'] } })).key),
      verdict: withPresence({ M: 'STEP_UP_REQUIRED' }),
      asks: oncePerShape,
    },
  }
}

describe('http: every write of the contract', () => {
  it('leaves exactly one entry in the activity log when it is let through', async () => {
    const session = bearer((await addSession(app, { projectId: own.projectId, permissions: EVERY })).key)
    const key = byKey(await addApiKey(app, own.projectId))
    const promoter = { 'referral-token': await addReferralToken(app, own.projectId) }
    for (const cell of CELLS.filter(({ method }) => method !== 'GET')) {
      const { access } = cell.route
      const open = access.referral ? promoter : {}
      const headers = access.operator || access.permission ? session : access.scope ? key : open
      expect([cell.route.id, await send(doors, cell, headers)]).toEqual([cell.route.id, PASSES])
    }
    const names = Object.values<Routes>(CONTRACT).flatMap((routes) =>
      Object.entries(routes).flatMap(([name, { methods }]) => (methods[0] === 'GET' ? [] : [name])),
    )
    const logged = names.filter((name) => !UNLOGGED_WRITES.has(name))
    expect([...new Set(writes.values())].toSorted()).toEqual(logged.toSorted())
    expect(await findUnaudited(app.ctx, writes)).toEqual([])
  })
})

/** The policy of the install is one at a time, and the factor of who has one is looked at whatever it says. */
const POLICIES = {
  optional: async () => ({
    ...(await nobodies()),
    ...(await keys()),
    ...(await devices()),
    ...(await promoters()),
    ...(await operators()),
    ...(await presence()),
  }),
  money: () => withoutFactor('money'),
  always: () => withoutFactor('always'),
}

describe.each(Object.entries(POLICIES))('http: every route, second factor: %s', (_policy, make) => {
  let kinds: Record<string, Kind>
  beforeAll(async () => {
    kinds = await make()
  })

  it.each(CELLS.map((cell) => [`${cell.route.id} ${cell.method} ${cell.pattern}`, cell] as const))(
    '%s lets in whom the contract declares, and nobody else',
    async (_name, cell) => {
      const { answers, declared } = await outcomesOf(cell, kinds)
      expect(answers).toEqual(declared)
    },
  )
})
