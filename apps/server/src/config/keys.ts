/** Keys by purpose, derived from the master key once, at the start (docs/decisions/0019). */
import { hkdfSync } from 'node:crypto'

import type { ProcessRole } from './config.ts'

/**
 * `vault`: the root of every vault without a passphrase; it is the master key itself, so that what was sealed earlier still
 * opens. `processes`: proves that a process which asks for keys of vaults has the master key. `codes`: hashes codes that people
 * type, which are too few to be hashed without a key.
 */
export type KeyPurpose = 'cursor' | 'idempotency' | 'addresses' | 'processes' | 'codes' | 'vault'

/** The keys that a process may use. */
export type Keys = ReadonlyMap<KeyPurpose, Buffer>

/** The info value of HKDF (RFC 5869) for each derived key. */
const LABELS = {
  cursor: 'kassa cursor',
  idempotency: 'kassa idempotency',
  addresses: 'kassa addresses',
  processes: 'kassa processes',
  codes: 'kassa codes',
} as const

const KEYS_OF_ROLE: Readonly<Record<ProcessRole, readonly KeyPurpose[]>> = {
  api: ['cursor', 'idempotency', 'addresses', 'processes', 'codes', 'vault'],
  worker: ['addresses', 'processes', 'codes', 'vault'],
  watcher: ['addresses', 'processes', 'vault'],
  sender: ['addresses', 'processes', 'vault'],
  chains: [],
}

const KEY_BYTES = 32

/** Derives the keys that these roles may use, 32 bytes each. */
export function keysOf(masterKey: Buffer, roles: readonly ProcessRole[]): Keys {
  const purposes = new Set(roles.flatMap((role) => KEYS_OF_ROLE[role]))
  return new Map([...purposes].map((purpose) => [purpose, derive(masterKey, purpose)]))
}

function derive(masterKey: Buffer, purpose: KeyPurpose): Buffer {
  if (purpose === 'vault') return masterKey
  return Buffer.from(hkdfSync('sha256', masterKey, '', LABELS[purpose], KEY_BYTES))
}

/** Returns the key of a purpose. @throws Error when no role of this process may use it */
export function keyFor({ keys }: { readonly keys: Keys }, purpose: KeyPurpose): Buffer {
  const key = keys.get(purpose)
  if (!key) throw new Error(`No role of this process has the key for ${purpose}`)
  return key
}
