/** The whole program on a database of its own, called as a client would, without a port. */
import type { Route, RouteCall, RouteOutput } from '@kassa/contract/kit/route.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import * as z from 'zod/mini'

import { type App, createApp, INVARIANTS } from '../app.ts'
import type { Config } from '../config/config.ts'
import { asSystem } from '../context.ts'
import type { ErrorBody, FlatErrorBody } from '../http/api-errors.ts'
import { verify } from '../modules/ledger/service.ts'
import type { SandboxChains } from '../sandbox/chains.ts'
import { testConfig, testKeys } from './config.ts'
import { testDatabase } from './database/test-database.ts'
import { findUnaudited, noteWrites } from './audited-writes.ts'

export const TEST_EMAIL = 'owner@shop.example'
export const TEST_PASSWORD = 'Correct.Horse9'

/** What a call answered. `body` is decoded by the route's schema when it succeeded. */
export type Answer<R extends Route> = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: RouteOutput<R>
  readonly refusal: ErrorBody['error'] | undefined
  readonly text: string
}

export type CallOptions = {
  /** A session key or an API key. */
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** One of the route's methods, when not the first. */
  readonly method?: string
  /** One of the route's paths, when not the first. */
  readonly path?: number
  /** Sent as it is, in place of an encoded body. */
  readonly raw?: string
}

export type TestApp = App & {
  /** The clock of the program; tests move it. */
  readonly clock: { now: Date }
  readonly logLines: string[]
  readonly connectionString: string
  readonly call: <R extends Route>(route: R, input?: RouteCall<R>, options?: CallOptions) => Promise<Answer<R>>
  /** Makes the first account and returns its session key. */
  readonly signUp: () => Promise<string>
  readonly stop: () => Promise<void>
}

export type TestAppOptions = {
  readonly config?: Partial<Config>
  readonly masterKey?: Buffer
  readonly chains?: SandboxChains
  /** Begin with this time instead of the real one, and stand still until the test moves it. */
  readonly now?: Date
}

/** Starts the program; `stop` ends it and removes its database. */
export async function testApp({
  config: overrides = {},
  masterKey,
  chains,
  now,
}: TestAppOptions = {}): Promise<TestApp> {
  const database = await testDatabase()
  const config = testConfig(database.connectionString, overrides)
  const logLines: string[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => void logLines.push(line) })
  const clock = { now: now ?? new Date() }
  const app = await createApp(config, {
    keys: testKeys(masterKey),
    log,
    isTest: true,
    chains: chains ?? null,
    now: now ? () => clock.now : () => new Date(),
  })
  const call = caller(app)
  const writes = noteWrites(app.http)
  return {
    ...app,
    clock,
    logLines,
    connectionString: database.connectionString,
    call,
    signUp: async () => {
      const [setupCode] = /([A-Z2-9]{4}-){3}[A-Z2-9]{4}/.exec(logLines.join('')) ?? []
      return (await call(authRoutes.signUp, { body: { email: TEST_EMAIL, password: TEST_PASSWORD, setupCode } })).body
        .key
    },
    stop: async () => {
      const broken = await verify(asSystem(app.ctx), INVARIANTS)
      const unaudited = await findUnaudited(app.ctx, writes)
      await app.close()
      await database.drop()
      // Whatever a suite does to money, its books hold at the end.
      if (broken.length > 0) throw new Error(`The books are broken: ${JSON.stringify(broken)}`)
      // Whatever it wrote, each write stands in the activity log once.
      if (unaudited.length > 0) throw new Error(`Not in the activity log once: ${unaudited.join(', ')}`)
    },
  }
}

/** Calls the routes of a program without a port. */
export function caller(app: Pick<App, 'http'>) {
  return async <R extends Route>(route: R, input: RouteCall<R> = {}, options: CallOptions = {}): Promise<Answer<R>> => {
    const { statusCode, headers, payload } = await app.http.inject(requestOf(route, input, options))
    const json: unknown =
      /json/.test(String(headers['content-type'])) && payload !== '' ? JSON.parse(payload) : undefined
    const isRefusal = statusCode >= 400
    return {
      status: statusCode,
      headers: headers as Record<string, string | undefined>,
      body: (isRefusal ? undefined : z.decode(route.response, json)) as RouteOutput<R>,
      refusal: isRefusal ? refusalIn(json as ErrorBody | FlatErrorBody | undefined) : undefined,
      text: payload,
    }
  }
}

function refusalIn(body: ErrorBody | FlatErrorBody | undefined): ErrorBody['error'] | undefined {
  if (body === undefined || typeof body.error !== 'string') return body?.error as ErrorBody['error'] | undefined
  const { error: code, ...parts } = body as FlatErrorBody
  return { code, ...parts }
}

function requestOf<R extends Route>(route: R, input: RouteCall<R>, options: CallOptions): InjectOptions {
  const method = options.method ?? route.methods[0]
  const isRead = method === 'GET'
  return {
    method,
    url: pathOf(route.paths[options.path ?? 0] ?? route.paths[0], input.params ?? {}),
    query: queryOf(input.query),
    headers: {
      host: 'localhost:8080',
      ...(options.key !== undefined && { 'api-key': options.key }),
      ...(!isRead && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(!isRead && { payload: options.raw ?? JSON.stringify(input.body ?? {}) }),
  }
}

function pathOf(path: string, params: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params[name])))
  return filled.startsWith('//') ? filled.slice(1) : `/api/v1${filled}`
}

function queryOf(query: unknown): Record<string, string | string[]> {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}
