import { createHmac, randomBytes } from 'node:crypto'

/** What a delivery is signed and marked with. */
export type SigningKeys = { readonly secret: string; readonly accessKey: string; readonly legacyHeaders: boolean }

/** A new signing secret: 32 random bytes in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** A new access key; it opens nothing on our API. */
export function newAccessKey(): string {
  return `kw_${randomBytes(32).toString('base64url')}`
}

/**
 * The headers of one attempt: HMAC-SHA256 over `{id}.{timestamp}.{body}` (Standard Webhooks), and the access key that
 * older receivers compare.
 */
export function signedHeaders(keys: SigningKeys, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(keys.secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Kassa-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    ...(keys.legacyHeaders && { 'api-key': keys.accessKey }),
  }
}
