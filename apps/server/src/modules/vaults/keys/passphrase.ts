/** The root key of a vault with a passphrase: random, and wrapped by what the passphrase and the master key derive. */
import { hkdfSync, randomBytes } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'

import { keyFor } from '../../../config/keys.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { argon2id, type Typed } from '../../../hashing/argon2id.ts'
import type { PasswordCost } from '../../../config/config.ts'
import { openBytes, sealBytes } from './envelope.ts'
import { chargeAttempt, rootLabel } from './rules.ts'
import { deleteAttempts, lockAttempts, type PassphraseColumns, undoAttempt, updateAttempts } from './store.ts'
import type { VaultRow } from './tables.ts'

const SALT_BYTES = 16
const KEY_BYTES = 32

/**
 * The purpose of the derived key. The master key is mixed in, so that an attacker who has only the database cannot guess a passphrase.
 */
const INFO = 'kassa vault passphrase'

/** Returns the columns that hold the root key under a passphrase. It hashes, so call it outside of transactions. */
export async function wrapRoot(ctx: Context, vaultId: number, root: Buffer, typed: Typed): Promise<PassphraseColumns> {
  const salt = randomBytes(SALT_BYTES)
  const cost = ctx.config.passwordCost
  const key = await deriveKey(ctx, typed, salt, cost)
  try {
    const wrapped_root = sealBytes(key, root, rootLabel(vaultId))
    return { salt, memory_kib: cost.memoryKib, passes: cost.passes, lanes: cost.lanes, wrapped_root }
  } finally {
    key.fill(0)
  }
}

/**
 * Opens the root key with the passphrase. Every wrong one of an operator makes that operator's next attempt at this vault wait
 * longer. It hashes, so call it outside of transactions.
 * @throws VAULT_HAS_NO_PASSPHRASE, VAULT_PASSPHRASE_WRONG, VAULT_PASSPHRASE_THROTTLED, SERVICE_UNAVAILABLE
 */
export async function openRoot(ctx: Context, vault: VaultRow, typed: Typed): Promise<Buffer> {
  const { id, salt, memory_kib: memoryKib, passes, lanes, wrapped_root: wrapped } = vault
  if (salt === null || memoryKib === null || passes === null || lanes === null || wrapped === null) {
    return fail('VAULT_HAS_NO_PASSPHRASE')
  }
  await charge(ctx, id)
  const key = await deriveKey(ctx, typed, salt, { memoryKib, passes, lanes }).catch(async (thrown: unknown) => {
    // The passphrase was never tried, so this is no failure.
    await forCaller(ctx, id, undoAttempt)
    throw thrown
  })
  const root = tryOpen(key, wrapped, rootLabel(id))
  key.fill(0)
  if (!root) return fail('VAULT_PASSPHRASE_WRONG')
  await forCaller(ctx, id, deleteAttempts)
  return root
}

async function deriveKey(ctx: Context, typed: Typed, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  const derived = await argon2id(ctx, typed, salt, cost)
  try {
    return Buffer.from(hkdfSync('sha256', derived, keyFor(ctx, 'vault'), INFO, KEY_BYTES))
  } finally {
    derived.fill(0)
  }
}

function tryOpen(key: Buffer, wrapped: Buffer, label: string): Buffer | undefined {
  try {
    return openBytes(key, wrapped, label)
  } catch {
    // A wrong passphrase and a changed row look the same here; the caller decides.
    return undefined
  }
}

async function charge(ctx: Context, vaultId: number): Promise<void> {
  let retryAfter: number | undefined
  await inTransaction(ctx, (tx) =>
    forCaller(tx, vaultId, async (_ctx, key) => {
      const row = await lockAttempts(tx, key)
      const known = { failures: row.failures, waitUntil: row.wait_until, updatedAt: row.updated_at }
      const next = chargeAttempt(known, tx.now())
      if ('retryAfter' in next) retryAfter = next.retryAfter
      else await updateAttempts(tx, key, next)
    }),
  )
  if (retryAfter === undefined) return
  fail('VAULT_PASSPHRASE_THROTTLED', {
    values: { seconds: retryAfter },
    retryAfter,
    data: { seconds: retryAfter },
  })
}

type AttemptKey = { readonly vaultId: number; readonly operatorId: number }

/** The program itself, as in a command, needs no limit on guessing. */
async function forCaller(
  ctx: Context,
  vaultId: number,
  work: (ctx: Context, key: AttemptKey) => Promise<void>,
): Promise<void> {
  if (ctx.caller.kind === 'operator') await work(ctx, { vaultId, operatorId: ctx.caller.operatorId })
}
