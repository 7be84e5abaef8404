/** Passwords as argon2id (RFC 9106), stored as PHC text: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../../context.ts'
import type { PasswordCost } from '../../../config/config.ts'
import { isInTransaction } from '../../../db/open-transaction.ts'
import { remembered } from '../../../memory.ts'
import { createHashingQueue, QueueFull } from './hashing-queue.ts'

const SALT_BYTES = 16
const HASH_BYTES = 32

/** By when a full queue has places again. */
const BUSY_SECONDS = 5

const queue = remembered(() => createHashingQueue())

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const derive = promisify(argon2)

type Hashing = Pick<Context, 'config' | 'memory'>

/** What is hashed, and for which network, since networks take turns. */
type Typed = { readonly password: string; readonly network: string }

/**
 * Hashes a password with a salt of its own. Takes some tenths of a second: never inside a transaction.
 * @throws SERVICE_UNAVAILABLE when too many wait
 */
export async function hashPassword(ctx: Hashing, { password, network }: Typed): Promise<string> {
  const cost = ctx.config.passwordCost
  const salt = randomBytes(SALT_BYTES)
  const hash = await inTurn(ctx, network, () => argon2id(password, salt, cost))
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Verifies the password against the stored hash, at the cost it was hashed with; with null it takes the time of a new hash
 * and says no (unknown accounts). @throws SERVICE_UNAVAILABLE when too many wait
 */
export async function verifyPassword(
  ctx: Hashing,
  { password, network }: Typed,
  stored: string | null,
): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', hash = ''] = PHC.exec(stored ?? '') ?? []
  const expected = Buffer.from(hash, 'base64')
  const isHash = memory !== undefined
  const cost = isHash
    ? { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) }
    : ctx.config.passwordCost
  const nonce = salt === '' ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64')
  const actual = await inTurn(ctx, network, () => argon2id(password, nonce, cost))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

async function inTurn<T>(ctx: Hashing, network: string, work: () => Promise<T>): Promise<T> {
  if (isInTransaction()) throw new Error('A password was hashed inside a transaction')
  return queue(ctx)
    .run(network, work)
    .catch((thrown: unknown) => {
      if (!(thrown instanceof QueueFull)) throw thrown
      return fail('SERVICE_UNAVAILABLE', {
        message: `Too many passwords are being checked. Try again in ${BUSY_SECONDS} seconds.`,
        retryAfter: BUSY_SECONDS,
      })
    })
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
