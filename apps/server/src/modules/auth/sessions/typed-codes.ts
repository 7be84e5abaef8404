import { randomInt } from 'node:crypto'

import { hashCredential } from '../../../credentials.ts'
import type { Credential } from './credentials.ts'

/** Letters and digits that cannot be mistaken for each other when copied from a screen or from paper. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 16 of 32 letters: 80 bits, beyond guessing over a network, and beyond trying all against a stolen hash. */
const CODE_GROUPS = 4

const GROUP_LENGTH = 4

/** Makes a code that people copy by hand, such as `K7QM-2XWD-9FHT-BN4P`: shown once, stored as a hash. */
export function newTypedCode(): Credential {
  const character = () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))
  const group = () => Array.from({ length: GROUP_LENGTH }, character).join('')
  const text = Array.from({ length: CODE_GROUPS }, group).join('-')
  return { text, hash: hashTypedCode(text) }
}

/** Hashes a code as it is compared: people type it in any case, with or without dashes. */
export function hashTypedCode(typed: string): Buffer {
  return hashCredential(typed.toUpperCase().replace(/[^A-Z2-9]/g, ''))
}
