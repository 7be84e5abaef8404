import type { Context } from '../../../context.ts'
import type { EgressResponse } from '../../../egress/egress.ts'
import type { Target } from './claim-store.ts'
import type { Note } from '../record/attempt-store.ts'
import { nextStep, retryAfterMs } from '../record/rules.ts'
import { signedHeaders } from '../signing/sign.ts'
import { signingKeys } from '../signing/signing-keys.ts'
import type { DeliveryRow } from '../record/store.ts'

/** The part of a receiver's answer that is stored. */
const EXCERPT = 1024

export type Outcome = { readonly webhook: Target; readonly isGone: boolean; readonly note: Note }

/** Sends a claimed delivery once and returns the outcome; a failure is an outcome, never an error. */
export async function attempt(ctx: Context, webhook: Target, delivery: DeliveryRow): Promise<Outcome> {
  const at = ctx.now()
  const started = performance.now()
  const outcome = await post(ctx, webhook, delivery, at)
  const answer = 'response' in outcome ? outcome.response : null
  const code = answer?.status ?? null
  const asked = retryAfterMs(answer?.headers['retry-after'], ctx.now())
  const nth = delivery.attempt_count - delivery.attempts_before
  const step = nextStep(nth, { code, retryAfterMs: asked }, Math.random())
  const error = 'error' in outcome ? outcome.error : step.kind === 'received' ? null : `The receiver answered ${code}.`
  return {
    webhook,
    isGone: step.kind === 'gone',
    note: {
      id: delivery.id,
      n: delivery.attempt_count,
      status: step.kind === 'received' ? 'received' : step.kind === 'retry' ? 'pending' : 'failed',
      retryAt: step.kind === 'retry' ? new Date(ctx.now().getTime() + step.afterMs) : null,
      code,
      error: error === null ? null : storable(error),
      at,
      ms: Math.round(performance.now() - started),
      excerpt: answer === null ? null : storable(answer.body),
    },
  }
}

async function post(
  ctx: Context,
  webhook: Target,
  delivery: DeliveryRow,
  at: Date,
): Promise<{ response: EgressResponse } | { error: string }> {
  try {
    const keys = await signingKeys(ctx, webhook, { old: webhook.old_secrets, states: webhook.hmac_ref })
    const headers = signedHeaders(keys, delivery.event_id, at, delivery.body)
    const request = { url: webhook.url, method: 'POST', headers, body: delivery.body, excerptBytes: EXCERPT } as const
    return { response: await ctx.egress.request('webhook', request) }
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

/** PostgreSQL can store neither U+0000 in text nor half of a surrogate pair in JSON. */
function storable(text: string): string {
  return text.slice(0, EXCERPT).replaceAll('\u0000', '').toWellFormed()
}
