/** The cost of authentication, authorisation and audit; passwords beside payers; a role change sent to many tabs. */
import { Message } from '@kassa/contract/kit/codecs.ts'
import { type Access, route } from '@kassa/contract/kit/route.ts'
import { PERMISSIONS, type Permission } from '@kassa/contract/permissions.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as z from 'zod/mini'

import type { Context } from '../../apps/server/src/context.ts'
import type { AuditHook } from '../../apps/server/src/http/audit/audit-hook.ts'
import { serve } from '../../apps/server/src/http/handlers.ts'
import { mount } from '../../apps/server/src/http/mount.ts'
import { createRateLimiter } from '../../apps/server/src/http/rate-limit/rate-limit.ts'
import { createServer } from '../../apps/server/src/http/server.ts'
import { findApiKey, noteApiKeyUse } from '../../apps/server/src/modules/api-keys/service.ts'
import { auditHook } from '../../apps/server/src/modules/audit/service.ts'
import { endedByPassword, findSession } from '../../apps/server/src/modules/auth/sessions/service.ts'
import { findDevice } from '../../apps/server/src/modules/devices/service.ts'
import { findPromoter } from '../../apps/server/src/modules/referral/page/service.ts'
import { spendToken } from '../../apps/server/src/modules/auth/step-up/service.ts'
import { addSession } from '../../apps/server/src/testing/accounts/credentials.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { openProgram } from '../harness/program.ts'
import { quantile } from '../harness/quantile.ts'
import { roleChangeFanOut } from './role-change.ts'
import { signInsBesidePayers } from './sign-ins.ts'

/** Calls of each kind in a round, one after the other; the first round only warms up. */
const CALLS = 300
const ROUNDS = 6

export const access: Measurement = {
  name: 'access',
  run: async (cleanup) => [
    ...(await guardedCalls(cleanup)),
    ...(await signInsBesidePayers(cleanup)),
    ...(await roleChangeFanOut(cleanup)),
  ],
}

async function guardedCalls(cleanup: Cleanup): Promise<readonly Figure[]> {
  const { app, pool } = await openProgram(cleanup)
  const permissions = Object.keys(PERMISSIONS) as Permission[]
  const { rows } = await pool.query<{ id: number }>("INSERT INTO projects (name) VALUES ('Bench') RETURNING id")
  const { key } = await addSession(app, { projectId: rows[0]?.id, permissions })
  const open = await serverOf(app.ctx, { public: true }, false)
  const guarded = await serverOf(app.ctx, { permission: 'project:create' }, true)
  cleanup(() => Promise.all([open.close(), guarded.close()]))
  const call = (http: FastifyInstance) => async () => {
    const headers = { host: 'localhost:8080', 'api-key': key }
    const { statusCode } = await http.inject({ method: 'POST', url: '/api/v1/bench', headers, payload: {} })
    if (statusCode !== 200) throw new Error(`A call was answered with ${statusCode}`)
  }
  const least = async () => {
    await pool.query('SELECT * FROM sessions WHERE id = 1')
    await pool.query("INSERT INTO bench_entries (text) VALUES ('a call and who made it')")
  }
  await pool.query('CREATE TABLE bench_entries (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text)')
  const [without, withAll, limit] = await inTurns([call(open), call(guarded), least])
  return [0.5, 0.99].map((share) => ({
    name: `added to a call by session, roles, factor state and audit, p${share * 100}`,
    value: quantile(withAll ?? [], share) - quantile(without ?? [], share),
    unit: 'ms',
    limit: { name: `one indexed read and one insert, p${share * 100}`, value: quantile(limit ?? [], share) },
  }))
}

/** The works alternate, so that whatever else the machine does slows them alike. */
async function inTurns(works: readonly (() => Promise<void>)[]): Promise<readonly number[][]> {
  const times: number[][] = works.map(() => [])
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (let n = 0; n < CALLS; n += 1) {
      for (const [at, work] of works.entries()) {
        const begun = performance.now()
        await work()
        if (round > 0) times[at]?.push(performance.now() - begun)
      }
    }
  }
  return times
}

/** A server with one write, which does nothing itself. */
async function serverOf(ctx: Context, asks: Access, isAudited: boolean): Promise<FastifyInstance> {
  const http = await createServer(ctx, { origins: async () => [] })
  const changeProject = route({
    id: 'bench',
    methods: ['POST'],
    paths: ['/bench'],
    summary: 'A measurement',
    access: asks,
    rate: 'dashboard',
    body: z.object({}),
    response: Message,
    errors: [],
  })
  const silent: AuditHook = {
    recordOf: () => ({ entry: {}, insert: () => sql`SELECT 1` }),
    refused: async () => undefined,
  }
  const options = {
    ...{
      ctx,
      lookups: { findSession, endedByPassword, findApiKey, findDevice, noteApiKeyUse, findPromoter },
      spendToken,
      isStrict: true,
    },
    ...{ origins: async () => [], findProject: async () => null },
    ...{ limiter: createRateLimiter({ factor: 1_000_000 }), audit: isAudited ? auditHook : silent },
  }
  mount(http, options, serve({ changeProject }, { changeProject: async () => ({ message: 'done' }) }))
  return http
}
