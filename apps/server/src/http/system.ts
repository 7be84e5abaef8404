import { ERRORS } from '@kassa/contract/errors.ts'
import { CONTRACT } from '@kassa/contract/contract.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { openApi } from '@kassa/contract/openapi.ts'
import { SHAPES } from '@kassa/contract/shapes.ts'
import type { systemRoutes, Version } from '@kassa/contract/system/routes.ts'
import type { Worker } from '@kassa/contract/workers/schemas.ts'

import type { Context } from '../context.ts'
import { type Build, BUILD } from '../config/version.ts'
import { ping } from '../db/database.ts'
import type { Handlers } from './handlers.ts'

/** What this process knows about itself. */
export type ProcessState = {
  /** Requests are no longer taken: a drain is under way. */
  isDraining: boolean
  /** The database refused a statement a moment ago because its disk is full. */
  readonly isDiskFull: () => boolean
  /** The state of the workers, by name. */
  readonly workers: () => Promise<Readonly<Record<string, Worker['status']>>>
  /** Whether something is out of date because of one of them. */
  readonly isLate: (name: string, status: Worker['status']) => boolean
}

const AWAY = 'The database does not answer. Kassa continues by itself once it does.'
const FULL =
  'The disk of the database is full: nothing can be recorded. Free some space; Kassa then continues by itself, and no payment is lost.'

/** Handlers of health, version and the documents. */
export function systemHandlers(state: ProcessState): Handlers<typeof systemRoutes> {
  return {
    health: async (ctx) => {
      const isUp = await answers(ctx)
      const workers = isUp ? await state.workers() : {}
      const reason = !isUp ? AWAY : state.isDiskFull() ? FULL : null
      const waiting = Object.entries(workers).flatMap(([name, at]) => (state.isLate(name, at) ? [name] : []))
      const status = reason !== null ? 'error' : waiting.length > 0 ? 'degraded' : 'ok'
      return {
        status,
        db: reason === null ? 'ok' : 'error',
        version: ctx.config.version,
        workers,
        reason: reason ?? (waiting.length > 0 ? `Not up to date: ${waiting.join(', ')}.` : null),
      }
    },
    live: async () => ({ status: 'ok' }),
    ready: async (ctx) => (state.isDraining || !(await answers(ctx)) ? fail('SERVICE_UNAVAILABLE') : { status: 'ok' }),
    version: async (ctx) => versionView(ctx.config.version, BUILD),
    openApi: async (ctx, { query }) =>
      openApi({
        groups: CONTRACT,
        shapes: SHAPES,
        version: ctx.config.version,
        ...(query.subset && { subset: query.subset }),
      }),
    errorCatalogue: async () => Object.entries(ERRORS).map(([code, entry]) => ({ code, ...entry })),
  }
}

/** Returns which version runs, and what it was built from. */
export function versionView(version: string, build: Build | null): Version {
  return {
    version,
    build: build?.commit ?? (build === null ? 'source' : ''),
    builtAt: build === null ? null : new Date(build.builtAt),
    image: '',
  }
}

async function answers(ctx: Context): Promise<boolean> {
  try {
    await ping(ctx.db)
    return true
  } catch (err) {
    ctx.log.warn({ err }, 'the database does not answer')
    return false
  }
}
