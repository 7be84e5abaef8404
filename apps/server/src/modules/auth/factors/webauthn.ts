/** Passkeys (WebAuthn 3), through the library that parses and verifies them; it is loaded with the first passkey. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

import type { Context } from '../../../context.ts'
import { allowedOrigins, passkeyHost } from '../../settings/service.ts'
import type { PasskeyRow } from './tables.ts'

/** The JSON that a browser is asked for a passkey with, or answers. */
export type PasskeyJson = Readonly<Record<string, unknown>>

/** A person finds a phone or a key in this time; the challenge lives longer. */
const TIMEOUT_MS = 3 * 60_000

/** EdDSA, ES256 and RS256 (RFC 9053): what every authenticator of today makes. */
const ALGORITHMS = [-8, -7, -257]

/** Longer than any authenticator makes them (WebAuthn 3: at most 1,023 bytes). */
const LONGEST_CREDENTIAL_ID = 1_023

const library = () => import('@simplewebauthn/server')

/** Whom passkeys are made for: the name of the site, under the origins that may call. */
type Site = { readonly host: string; readonly origins: string[] }

/** @throws PASSKEYS_NOT_POSSIBLE where browsers create none for the site URL */
async function siteOf(ctx: Context): Promise<Site> {
  const host = await passkeyHost(ctx)
  if (host === null) {
    return fail('PASSKEYS_NOT_POSSIBLE', {
      details: 'Open Kassa by a name, with https, and set that as the site URL; or use an authenticator app.',
    })
  }
  return { host, origins: await allowedOrigins(ctx) }
}

export type Owner = { readonly id: number; readonly email: string; readonly name: string }

/** Returns the options to create a new passkey, other than those the owner has. @throws PASSKEYS_NOT_POSSIBLE */
export async function creationOptions(
  ctx: Context,
  { owner, challenge, known }: { owner: Owner; challenge: Buffer; known: readonly PasskeyRow[] },
): Promise<PasskeyJson> {
  const { host } = await siteOf(ctx)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Kassa',
    rpID: host,
    userName: owner.email,
    userDisplayName: owner.name || owner.email,
    userID: new Uint8Array(userHandle(owner.id)),
    challenge: new Uint8Array(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: known.filter((passkey) => passkey.rp_id === host).map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { ...options }
}

/** Returns the options to ask for a passkey: one of these, or, without any, whichever its owner chooses. */
export async function requestOptions(
  ctx: Context,
  { challenge, known }: { challenge: Buffer; known: readonly PasskeyRow[] },
): Promise<PasskeyJson> {
  const { host } = await siteOf(ctx)
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: host,
    challenge: new Uint8Array(challenge),
    timeout: TIMEOUT_MS,
    allowCredentials: known.filter((passkey) => passkey.rp_id === host).map(descriptorOf),
    userVerification: 'required',
  })
  return { ...options }
}

/** How an authenticator finds the account: our own number, which says nothing about a person. */
function userHandle(operatorId: number): Buffer {
  return Buffer.from(`operator:${operatorId}`)
}

function descriptorOf({ credential_id: id, transports }: PasskeyRow): { id: string; transports: string[] } {
  return { id: id.toString('base64url'), transports }
}

/** What both answers of a browser must contain: our challenge, from our site, by a verified owner. */
function expectedOf({ host, origins }: Site, challenge: Buffer) {
  return {
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: origins,
    expectedRPID: host,
    requireUserVerification: true,
  }
}

/** A passkey as it was made. */
export type MadePasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports' | 'rp_id'>

/** Verifies what a browser made for this challenge; null when it is not what was asked for. @throws PASSKEYS_NOT_POSSIBLE */
export async function verifyCreation(
  ctx: Context,
  { attestation, challenge }: { attestation: PasskeyJson; challenge: Buffer },
): Promise<MadePasskey | null> {
  const site = await siteOf(ctx)
  const { verifyRegistrationResponse } = await library()
  const result = await refusalAsNull(ctx, () =>
    verifyRegistrationResponse({
      // The library reads each part and refuses what is not one.
      response: attestation as unknown as RegistrationResponseJSON,
      ...expectedOf(site, challenge),
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!result?.verified) return null
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
  return {
    credential_id: Buffer.from(id, 'base64url'),
    public_key: Buffer.from(publicKey),
    counter: BigInt(counter),
    transports: transports.filter((name) => /^[a-z-]{1,20}$/.test(name)).slice(0, 10),
    rp_id: site.host,
  }
}

/** The credential an answer claims to be of; null when it names none. */
export function credentialIdOf({ id }: PasskeyJson): Buffer | null {
  const bytes = typeof id === 'string' ? Buffer.from(id, 'base64url') : Buffer.alloc(0)
  return bytes.length > 0 && bytes.length <= LONGEST_CREDENTIAL_ID ? bytes : null
}

/**
 * Verifies that this passkey signed this challenge, on our site, after it had verified its owner; returns its counter, which the
 * caller compares, or null. @throws PASSKEYS_NOT_POSSIBLE
 */
export async function verifyAssertion(
  ctx: Context,
  { passkey, assertion, challenge }: { passkey: PasskeyRow; assertion: PasskeyJson; challenge: Buffer },
): Promise<bigint | null> {
  const site = await siteOf(ctx)
  const { verifyAuthenticationResponse } = await library()
  const result = await refusalAsNull(ctx, () =>
    verifyAuthenticationResponse({
      response: assertion as unknown as AuthenticationResponseJSON,
      ...expectedOf(site, challenge),
      // The counter is compared after the signature, so that a caller who cannot sign is not reported as a copy.
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: new Uint8Array(passkey.public_key),
        counter: 0,
      },
    }),
  )
  if (!result?.verified || !isOwnHandle(assertion, passkey)) return null
  return BigInt(result.authenticationInfo.newCounter)
}

function isOwnHandle({ response }: PasskeyJson, { operator_id: operatorId }: PasskeyRow): boolean {
  const handle = typeof response === 'object' && response !== null && 'userHandle' in response && response.userHandle
  return typeof handle !== 'string' || Buffer.from(handle, 'base64url').equals(userHandle(operatorId))
}

/** The library throws at whatever is not as required; the caller gets one refusal for all of it. */
async function refusalAsNull<T>(ctx: Context, verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify()
  } catch (thrown) {
    ctx.log.info({ why: thrown instanceof Error ? thrown.message.slice(0, 200) : '' }, 'auth.passkey_refused')
    return null
  }
}
