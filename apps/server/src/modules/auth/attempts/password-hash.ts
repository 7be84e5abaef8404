/** Passwords as argon2id (RFC 9106), stored as PHC text: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
import { randomBytes, timingSafeEqual } from 'node:crypto'

import type { Context } from '../../../context.ts'
import { argon2id, hashedText, type Typed } from '../../../hashing/argon2id.ts'

const SALT_BYTES = 16

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

type Hashing = Pick<Context, 'config' | 'memory'>

/**
 * Hashes a password with its own salt. It takes some tenths of a second, so call it outside of transactions.
 * @throws SERVICE_UNAVAILABLE when too many wait
 */
export async function hashPassword(ctx: Hashing, typed: Typed): Promise<string> {
  const cost = ctx.config.passwordCost
  const salt = randomBytes(SALT_BYTES)
  const hash = await argon2id(ctx, typed, salt, cost)
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Verifies the password against the stored hash, at the cost of that hash. For an unknown account (null) it takes the time of a
 * new hash and returns false. @throws SERVICE_UNAVAILABLE when too many wait
 */
export async function verifyPassword(ctx: Hashing, typed: Typed, stored: string | null): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', hash = ''] = PHC.exec(stored ?? '') ?? []
  const expected = Buffer.from(hash, 'base64')
  const isHash = memory !== undefined
  const cost = isHash
    ? { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) }
    : ctx.config.passwordCost
  const nonce = salt === '' ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64')
  const actual = await argon2id(ctx, typed, nonce, cost)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** Whether two passwords give the same hash, however their operating systems compose letters. */
export function isSamePassword(one: string, other: string): boolean {
  return hashedText(one) === hashedText(other)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
