import { createHmac, randomBytes } from 'node:crypto'

import { hashCredential } from '../../../credentials.ts'

/** 256 random bits are 43 characters of base64url (api.md 2.1). */
const RANDOM_BYTES = 32

export type Credential = { readonly text: string; readonly hash: Buffer }

/** Makes the three credentials of one session: shown once, stored as hashes. */
export function newSessionCredentials(): { key: Credential; access: Credential; refresh: Credential } {
  return { key: newCredential('ks_'), access: newCredential('ka_'), refresh: newCredential('kr_') }
}

/** Makes the token that carries a sign-in to its second step (api.md A4): shown once, stored as a hash. */
export function newChallengeToken(): Credential {
  return newCredential('')
}

/** Makes the token of a link to choose a password (api.md 2.1): shown once, stored as a hash. */
export function newPasswordToken(): Credential {
  return newCredential('')
}

/** Makes the token of a confirmed action (api.md 2.7): shown once, stored as a hash. */
export function newStepUpToken(): Credential {
  return newCredential('su_')
}

/**
 * Derives the credentials of one answer of A7 from the refresh token that was shown and the salt of that answer: a repeated
 * call gets the same text, although it is not stored. An answer that rotates contains another refresh token.
 */
export function renewedCredentials(
  shown: string,
  salt: Buffer,
  { isRotated }: { readonly isRotated: boolean },
): { access: Credential; refresh: Credential } {
  const refresh = isRotated ? derived('kr_', shown, salt) : credential(shown)
  return { refresh, access: derived('ka_', refresh.text, salt) }
}

/** Makes the salt of one answer. */
export function newSalt(): Buffer {
  return randomBytes(RANDOM_BYTES)
}

function derived(prefix: 'ka_' | 'kr_', token: string, salt: Buffer): Credential {
  return credential(prefix + createHmac('sha256', token).update(prefix).update(salt).digest('base64url'))
}

function credential(text: string): Credential {
  return { text, hash: hashCredential(text) }
}

function newCredential(prefix: 'ks_' | 'ka_' | 'kr_' | 'su_' | ''): Credential {
  return credential(prefix + randomBytes(RANDOM_BYTES).toString('base64url'))
}
