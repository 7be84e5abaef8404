/** argon2id (RFC 9106), a few at once per process: each holds tens of MiB and a core. */
import type { Argon2Parameters } from 'node:crypto'

import { Piscina } from 'piscina'

import { fail } from '@kassa/contract/kit/api-error.ts'

import type { PasswordCost } from '../config/config.ts'
import type { Context } from '../context.ts'
import { isInTransaction } from '../db/open-transaction.ts'
import { remembered } from '../memory.ts'
import { createHashingQueue, HASHES_AT_ONCE, QueueFull } from './hashing-queue.ts'

const HASH_BYTES = 32

/** The time until a full queue is expected to have free places again. */
const BUSY_SECONDS = 5

const queue = remembered(() => createHashingQueue())

/** How many steps below all other work: a flood of passwords takes what the answers to others leave of the processor. */
const NICE = 5

/** A thread costs some MB, so it ends when no password came for this long. */
const IDLE_MS = 30_000

// One for the process, since threads are; started with the first password. Without atomics a thread that waits holds no
// process open.
const threads = new Piscina<Argon2Parameters, Uint8Array>({
  filename: new URL('argon2id-thread.ts', import.meta.url).href,
  name: 'hash',
  minThreads: 0,
  maxThreads: HASHES_AT_ONCE,
  idleTimeout: IDLE_MS,
  niceIncrement: NICE,
  atomics: 'disabled',
  recordTiming: false,
})

/** What was typed, and from which network, because networks take turns. */
export type Typed = { readonly password: string; readonly network: string }

/**
 * Derives 32 bytes from a password and a salt. Takes some tenths of a second: never inside a transaction.
 * @throws SERVICE_UNAVAILABLE when too many wait
 */
export async function argon2id(
  ctx: Pick<Context, 'memory'>,
  { password, network }: Typed,
  nonce: Buffer,
  { memoryKib, passes, lanes }: PasswordCost,
): Promise<Buffer> {
  if (isInTransaction()) throw new Error('A password was hashed inside a transaction')
  const parameters: Argon2Parameters = {
    message: hashedText(password),
    nonce,
    memory: memoryKib,
    passes,
    parallelism: lanes,
    tagLength: HASH_BYTES,
  }
  return queue(ctx)
    .run(network, async () => Buffer.from(await threads.run(parameters)))
    .catch(refuseFull)
}

/**
 * Refuses at once when the queue would be full, so that a flood of passwords does not cost a statement each.
 * @throws SERVICE_UNAVAILABLE
 */
export function requireHashingPlace(ctx: Pick<Context, 'memory'>, network: string): void {
  try {
    queue(ctx).requirePlace(network)
  } catch (thrown) {
    refuseFull(thrown)
  }
}

function refuseFull(thrown: unknown): never {
  if (!(thrown instanceof QueueFull)) throw thrown
  return fail('SERVICE_UNAVAILABLE', {
    message: `Too many passwords are being checked. Try again in ${BUSY_SECONDS} seconds.`,
    retryAfter: BUSY_SECONDS,
  })
}

/** The text that is hashed: equal passwords typed on different systems are equal bytes in NFC, as RFC 8265 asks. */
export function hashedText(password: string): string {
  return password.normalize('NFC')
}
