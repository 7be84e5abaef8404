import { ERRORS } from '@kassa/contract/errors.ts'
import { CONTRACT } from '@kassa/contract/contract.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'
import { openApi } from '@kassa/contract/openapi.ts'
import { SHAPES } from '@kassa/contract/shapes.ts'
import type { systemRoutes } from '@kassa/contract/system/routes.ts'

import type { Context } from '../context.ts'
import { ping } from '../db/database.ts'
import type { Handlers } from './handlers.ts'

/** What this process knows of itself. */
export type ProcessState = {
  /** Requests are no longer taken: a drain is under way. */
  isDraining: boolean
  /** How the loops of this process are, by the name operators know them under. */
  readonly workers: () => Promise<Readonly<Record<string, string>>>
}

/** Handlers of health, version and the documents. */
export function systemHandlers(state: ProcessState): Handlers<typeof systemRoutes> {
  return {
    health: async (ctx) => {
      const isUp = await answers(ctx)
      const workers = isUp ? await state.workers() : {}
      const isWell = Object.values(workers).every((worker) => worker === 'RUNNING')
      const status = !isUp ? 'error' : isWell ? 'ok' : 'degraded'
      return { status, db: isUp ? 'ok' : 'error', version: ctx.config.version, workers }
    },
    live: async () => ({ status: 'ok' }),
    ready: async (ctx) => (state.isDraining || !(await answers(ctx)) ? fail('SERVICE_UNAVAILABLE') : { status: 'ok' }),
    version: async (ctx) => ({ version: ctx.config.version, build: 'source', image: '' }),
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

async function answers(ctx: Context): Promise<boolean> {
  try {
    await ping(ctx.db)
    return true
  } catch (err) {
    ctx.log.warn({ err }, 'the database does not answer')
    return false
  }
}
