/** Passwords as argon2id (RFC 9106), stored as PHC text: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

import type { Context } from '../../../context.ts'
import type { PasswordCost } from '../../../config/config.ts'
import { remembered } from '../../../memory.ts'

const SALT_BYTES = 16
const HASH_BYTES = 32

/** Two at once per process (api.md 2.8): each holds 64 MiB and one of the four threads that disk and DNS share. */
const AT_ONCE = 2

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const derive = promisify(argon2)

type Hashing = Pick<Context, 'config' | 'memory'>

/** Hashes a password with a salt of its own. Takes some tenths of a second: never inside a transaction. */
export async function hashPassword(ctx: Hashing, password: string): Promise<string> {
  const cost = ctx.config.passwordCost
  const salt = randomBytes(SALT_BYTES)
  const hash = await limitConcurrency(ctx, () => argon2id(password, salt, cost))
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Verifies the password against the hash, at the cost it was hashed with; with null it takes the time of a new hash and
 * says no (unknown accounts).
 */
export async function verifyPassword(ctx: Hashing, password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', hash = ''] = PHC.exec(stored ?? '') ?? []
  const expected = Buffer.from(hash, 'base64')
  const isHash = memory !== undefined
  const cost = isHash
    ? { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) }
    : ctx.config.passwordCost
  const nonce = salt === '' ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64')
  const actual = await limitConcurrency(ctx, () => argon2id(password, nonce, cost))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** Whether two passwords give the same hash, however the systems they were typed on compose letters. */
export function isSamePassword(one: string, other: string): boolean {
  return hashed(one) === hashed(other)
}

/** The text that is hashed: equal passwords typed on different systems are equal bytes in NFC, as RFC 8265 asks. */
function hashed(password: string): string {
  return password.normalize('NFC')
}

async function argon2id(password: string, nonce: Buffer, { memoryKib, passes, lanes }: PasswordCost): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    message: hashed(password),
    nonce,
    memory: memoryKib,
    passes,
    parallelism: lanes,
    tagLength: HASH_BYTES,
  }
  return derive('argon2id', parameters)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Hashes that run in this process, and who waits for one to end. */
const hashing = remembered((): { running: number; readonly waiting: (() => void)[] } => ({ running: 0, waiting: [] }))

/** Runs the work when fewer than two others run; the rest wait in order of arrival. */
async function limitConcurrency<T>(ctx: Hashing, work: () => Promise<T>): Promise<T> {
  const state = hashing(ctx)
  if (state.running < AT_ONCE) state.running += 1
  else await new Promise<void>((resolve) => state.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = state.waiting.shift()
    if (next) next()
    else state.running -= 1
  }
}
