// Tests of an endpoint: a signed request that is no delivery.
import { randomBytes } from 'node:crypto'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { TestResult } from '@kassa/contract/webhooks/schemas.ts'
import type { Context } from '../../../context.ts'
import { checkUrl } from './service.ts'
import { isDeliverable } from '../record/rules.ts'
import { signedHeaders } from '../signing/sign.ts'
import { signingKeys } from '../signing/signing-keys.ts'
import { updateWebhook, type WebhookRow } from '../record/store.ts'

/** How much of the answer to a test is shown. */
const EXCERPT = 1024

/**
 * Sends a signed ping now and returns the result; it never changes whether the endpoint is active.
 * @throws WEBHOOK_URL_NOT_ALLOWED, EVENT_UNKNOWN
 */
export async function testWebhook(ctx: Context, webhook: WebhookRow, event: string | undefined): Promise<TestResult> {
  if (event !== undefined && event !== 'webhook.ping' && !isDeliverable(event)) {
    return fail('EVENT_UNKNOWN', { values: { name: event } })
  }
  checkUrl(ctx, webhook.url)
  const at = ctx.now()
  const id = `evt_test_${randomBytes(8).toString('hex')}`
  const body = JSON.stringify({
    event_type: event ?? 'webhook.ping',
    event_id: id,
    timestamp: Math.floor(at.getTime() / 1000),
    project_id: webhook.project_id,
    test: true,
  })
  const headers = { ...signedHeaders(await signingKeys(ctx, webhook), id, at, body), 'x-webhook-test': 'true' }
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const { status, body: answer } = await ctx.egress.request('webhook', {
      url: webhook.url,
      method: 'POST',
      headers,
      body,
      excerptBytes: EXCERPT,
    })
    const success = status >= 200 && status < 300
    if (success) await updateWebhook(ctx, webhook.id, { tested: true })
    const message = success
      ? 'The receiver accepted the test.'
      : `The receiver answered ${status}. It must answer 200 to 299.`
    return { success, statusCode: status, ms: elapsed(), responseExcerpt: answer.slice(0, EXCERPT), message }
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    const message = `The receiver could not be reached: ${reason}`
    return { success: false, statusCode: null, ms: elapsed(), responseExcerpt: '', message }
  }
}
