import { isIP } from 'node:net'
import { fail } from '@kassa/contract/kit/api-error.ts'
import ipaddr from 'ipaddr.js'
import type { Caller, Context, PromoterFacts } from '../context.ts'
import { type ApiKeyFacts, type DeviceFacts, hashCredential, type SessionFacts } from '../credentials.ts'

/** Looks up credentials; app.ts passes it, so that this file needs no module. */
export type CredentialLookups = {
  readonly findSession: (ctx: Context, keyHash: Buffer) => Promise<SessionFacts | null>
  /** Whether the key's session ended because the password changed, which the answer then says. */
  readonly endedByPassword: (ctx: Context, keyHash: Buffer) => Promise<boolean>
  readonly findApiKey: (ctx: Context, keyHash: Buffer) => Promise<ApiKeyFacts | null>
  /** The paired device of a key. */
  readonly findDevice: (ctx: Context, keyHash: Buffer) => Promise<DeviceFacts | null>
  /** Finds the promoter of a page's token. */
  readonly findPromoter: (ctx: Context, tokenHash: Buffer) => Promise<PromoterFacts | null>
  /** Called for every key that was accepted. */
  readonly noteApiKeyUse: (ctx: Context, key: ApiKeyFacts, ip: string) => Promise<void>
}

export type Credentials = {
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  /** The header `Referral-Token`; given where a promoter may call, and then other credentials are ignored. */
  readonly referralToken?: string | undefined
  readonly ip: string
}

/** The caller, and the facts that were read with the credential. */
export type Authenticated = { readonly caller: Caller | null; readonly configVersion?: bigint }

/**
 * The one authentication function: every request of every route passes through it. `Authorization: Bearer` takes precedence
 * over `API-Key`; both carry a session key, a project's API key or the key of a signing device (api.md 2.1). The routes of
 * promoters read their token only, and no other route reads it. Nothing is cached, so a revocation takes effect with the next
 * request. The caller is null for a credential that is absent, unknown, expired, revoked or used from a foreign address.
 */
export async function authenticate(
  ctx: Context,
  lookups: CredentialLookups,
  credentials: Credentials,
): Promise<Authenticated> {
  if ('referralToken' in credentials) return { caller: await findPromoter(ctx, lookups, credentials.referralToken) }
  const key = readKey(credentials)
  if (key === null) return { caller: null }
  const hash = hashCredential(key)
  if (key.startsWith('kp_')) {
    const facts = await lookups.findApiKey(ctx, hash)
    if (!facts || !isAllowedAddress(credentials.ip, facts.allowedIps)) return { caller: null }
    await lookups.noteApiKeyUse(ctx, facts, credentials.ip)
    const { keyId, projectId, knownTo, scopes, configVersion } = facts
    return { caller: { kind: 'key', keyId, projectId, knownTo, scopes }, configVersion }
  }
  if (key.startsWith('kd_')) {
    const device = await lookups.findDevice(ctx, hash)
    return { caller: device && { kind: 'device', ...device } }
  }
  const facts = await lookups.findSession(ctx, hash)
  return { caller: facts && { kind: 'operator', ...facts } }
}

async function findPromoter(
  ctx: Context,
  lookups: CredentialLookups,
  token: string | undefined,
): Promise<Caller | null> {
  if (token === undefined || !/^\S{1,200}$/.test(token)) return null
  const facts = await lookups.findPromoter(ctx, hashCredential(token))
  return facts && { kind: 'promoter', ...facts }
}

/**
 * Refuses a caller without a valid credential, with the reason where there is one. @throws UNAUTHORIZED, REFERRAL_TOKEN_INVALID
 */
export async function refuseStranger(
  ctx: Context,
  lookups: CredentialLookups,
  credentials: Credentials,
): Promise<never> {
  if ('referralToken' in credentials) return fail('REFERRAL_TOKEN_INVALID')
  const key = readKey(credentials)
  const isKnown = key !== null && !/^k[pd]_/.test(key) && (await lookups.endedByPassword(ctx, hashCredential(key)))
  if (!isKnown) return fail('UNAUTHORIZED')
  return fail('UNAUTHORIZED', {
    details: 'You were signed out because your password changed.',
    data: { reason: 'password_changed' },
  })
}

function readKey({ authorization, apiKey }: Credentials): string | null {
  if (authorization !== undefined) return /^Bearer (\S{1,200})$/i.exec(authorization)?.[1] ?? null
  return apiKey !== undefined && /^\S{1,200}$/.test(apiKey) ? apiKey : null
}

function isAllowedAddress(ip: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true
  if (isIP(ip) === 0) return false
  const address = ipaddr.process(ip)
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range)
    return address.kind() === network.kind() && address.match(network, bits)
  })
}
