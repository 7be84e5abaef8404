import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

import { hashCredential } from '../../credentials.ts'
import { normalizeSetupCode } from './rules.ts'

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

/** Letters and digits that cannot be mistaken for each other when copied from a screen. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** 16 of 32 letters: 80 bits, beyond guessing over a network. */
const CODE_GROUPS = 4
const GROUP_LENGTH = 4

/** Makes a set-up code such as `K7QM-2XWD-9FHT-BN4P`. */
export function newSetupCode(): Credential {
  const letter = () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join('')
  const text = Array.from({ length: CODE_GROUPS }, group).join('-')
  return { text, hash: hashSetupCode(text) }
}

/** Whether the typed text is the set-up code of this hash. */
export function isSetupCode(typed: string, hash: Buffer): boolean {
  return timingSafeEqual(hashSetupCode(typed), hash)
}

function hashSetupCode(text: string): Buffer {
  return hashCredential(normalizeSetupCode(text))
}
