import { createHmac, type KeyObject, randomBytes, sign } from 'node:crypto'

import { hmacFrom } from '../../api-keys/service.ts'

/** What a delivery is signed and labelled with. */
export type SigningKeys = {
  /** Every valid secret, newest first: during an overlap, the old and the new one both sign. */
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

/** A new access key; our own API does not accept it. */
export function newAccessKey(): string {
  return `kw_${randomBytes(32).toString('base64url')}`
}

/**
 * The headers of one attempt, as in Standard Webhooks: over `{id}.{timestamp}.{body}` one HMAC-SHA256 per valid secret (`v1`)
 * and one Ed25519 signature (`v1a`); and the access key that older receivers compare.
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

/** The signature that older receivers check: over the body alone, with the project's API key. */
function legacySignature(states: Buffer, body: string): string {
  return `sha256=${hmacFrom(states, Buffer.from(body)).toString('hex')}`
}
