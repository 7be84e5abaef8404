import { createHmac, type KeyObject, randomBytes, sign } from 'node:crypto'

import { hmacFrom } from '../../api-keys/service.ts'

/** What a delivery is signed and marked with. */
export type SigningKeys = {
  /** Every secret that is live, the newest first: both sides of an overlap sign. */
  readonly secrets: readonly string[]
  readonly accessKey: string
  readonly legacyHeaders: boolean
  /** Of the project's newest API key (api.md 6.3); null when it has none. */
  readonly keyStates: Buffer | null
  /** The Ed25519 key of this install. */
  readonly own: KeyObject
}

/** A new signing secret: 32 random bytes in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** A new access key; it opens nothing on our API. */
export function newAccessKey(): string {
  return `kw_${randomBytes(32).toString('base64url')}`
}

/**
 * The headers of one attempt: over `{id}.{timestamp}.{body}` one HMAC-SHA256 per live secret (`v1`) and one Ed25519
 * signature (`v1a`), as Standard Webhooks has them, and the access key that older receivers compare.
 */
export function signedHeaders(keys: SigningKeys, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = Buffer.from(`${id}.${timestamp}.${body}`)
  const signatures = keys.secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Kassa-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': [...signatures, `v1a,${sign(null, signed, keys.own).toString('base64')}`].join(' '),
    ...(keys.legacyHeaders && { 'api-key': keys.accessKey }),
    ...(keys.legacyHeaders && keys.keyStates && { 'x-payram-signature': legacySignature(keys.keyStates, body) }),
  }
}

/** As older receivers know it: over the body alone, with the project's API key. */
function legacySignature(states: Buffer, body: string): string {
  return `sha256=${hmacFrom(states, Buffer.from(body)).toString('hex')}`
}
