import { randomInt, timingSafeEqual } from 'node:crypto'

import { hashCredential } from '../../../credentials.ts'
import type { Credential } from '../sessions/credentials.ts'
import { normalizeSetupCode } from './rules.ts'

/** Letters and digits that cannot be mistaken for each other when copied from a screen. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 16 of 32 letters: 80 bits, beyond guessing over a network. */
const CODE_GROUPS = 4

const GROUP_LENGTH = 4

/** Makes a set-up code such as `K7QM-2XWD-9FHT-BN4P`. */
export function newSetupCode(): Credential {
  const character = () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))
  const group = () => Array.from({ length: GROUP_LENGTH }, character).join('')
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
