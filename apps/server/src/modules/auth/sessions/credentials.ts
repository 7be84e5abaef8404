import { randomBytes } from 'node:crypto'

import { hashCredential } from '../../../credentials.ts'

/** 256 random bits are 43 characters of base64url (api.md 2.1). */
const RANDOM_BYTES = 32

export type Credential = { readonly text: string; readonly hash: Buffer }

/** Makes the three credentials of one session: shown once, stored as hashes. */
export function newSessionCredentials(): { key: Credential; access: Credential; refresh: Credential } {
  return { key: newCredential('ks_'), access: newCredential('ka_'), refresh: newCredential('kr_') }
}

/** Makes the token of a link to choose a password (api.md 2.1): shown once, stored as a hash. */
export function newPasswordToken(): Credential {
  return newCredential('')
}

function newCredential(prefix: 'ks_' | 'ka_' | 'kr_' | ''): Credential {
  const text = prefix + randomBytes(RANDOM_BYTES).toString('base64url')
  return { text, hash: hashCredential(text) }
}
