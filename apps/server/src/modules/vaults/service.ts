/**
 * Vaults hold secrets sealed: each secret under a data key of its own, and every data key wrapped by the key of its vault,
 * whose root is never in the database in the open (money.md 5.3). Other modules hold the id of a secret and open it where they
 * use it.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

import { ApiError, fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../context.ts'
import { remembered } from '../../memory.ts'
import { sealEnvelope } from './keys/envelope.ts'
import { heldKeys, holdRoot, isOpen, vaultKey } from './keys/held-keys.ts'
import { openRoot } from './keys/passphrase.ts'
import { findDefaultVault, findVault } from './keys/store.ts'
import type { VaultRow } from './keys/tables.ts'
import { type AddressClaim, addressProofMessage, envelopeLabel, FIRST_VAULT } from './rules.ts'
import { openFound } from './open-secret.ts'
import { deleteSecret, findSecret, findSecretByKind, type FoundSecret, insertSecret, nextSecretId } from './store.ts'
import { noteReadable } from './unreadable.ts'

export { joinVaults } from './keys/processes.ts'
export { type CheckedVault, checkSecrets } from './check-secrets.ts'

export type NewSecret = {
  /** What the value is, such as `webhook_secret`; the seal is bound to it. */
  readonly kind: string
  /** The name in the list of secrets; never part of the value. */
  readonly label: string
  readonly value: Buffer
  /** Vault 1 when absent: only hot keys may lie in another one. */
  readonly vaultId?: number
}

const FIRST_VERSION = 1

/** Seals a value and returns the id it is opened by. Joins the open transaction. @throws VAULT_NOT_FOUND, VAULT_LOCKED */
export async function seal(ctx: Context, secret: NewSecret): Promise<number> {
  const id = await nextSecretId(ctx)
  await insertSecret(ctx, await envelopeRow(ctx, id, secret))
  return id
}

/** The vault of new hot keys where the request names none. */
export async function defaultVaultId(ctx: Context): Promise<number> {
  return (await findDefaultVault(ctx)).id
}

/**
 * Opens a secret; the caller overwrites the buffer after use.
 * @throws VAULT_LOCKED, and Error when it is absent or was tampered with
 */
export async function open(ctx: Context, secretId: number): Promise<Buffer> {
  const value = await openIfPresent(ctx, secretId)
  if (!value) throw new Error(`There is no secret ${secretId}`)
  return value
}

/** Opens a secret that another transaction may remove meanwhile; null when it was removed. */
export async function openIfPresent(ctx: Context, secretId: number): Promise<Buffer | null> {
  const row = await findSecret(ctx, secretId)
  return row ? openRow(ctx, row) : null
}

/** Whether a secret exists and this process can open its vault now; opens nothing. */
export async function isOpenable(ctx: Context, secretId: number): Promise<boolean> {
  const row = await findSecret(ctx, secretId)
  return row !== undefined && isOpen(ctx, { ...row, id: row.vault_id })
}

/** Removes a secret that nothing refers to any more. */
export async function forget(ctx: Context, secretId: number): Promise<void> {
  await deleteSecret(ctx, secretId)
}

/** Opens a vault in this process alone, as a command does. @throws VAULT_HAS_NO_PASSPHRASE, VAULT_PASSPHRASE_WRONG */
export async function openVaultHere(ctx: Context, vault: VaultRow, passphrase: string): Promise<void> {
  const key = await openRoot(ctx, vault, { password: passphrase, network: 'command line' })
  holdRoot(ctx, vault.id, { key, lockCount: vault.lock_count })
}

/** The public half of the key that proves addresses; the private half is opened only for signing. */
const publicHalf = remembered((): { text?: string } => ({}))

/**
 * Returns the public half of the Ed25519 key that proves addresses: 32 bytes as base64. The key is created on first use and
 * never changes; call it outside of transactions.
 */
export async function addressProofKey(ctx: Context): Promise<{ readonly publicKey: string }> {
  const half = publicHalf(ctx)
  if (half.text !== undefined) return { publicKey: half.text }
  const { x } = createPublicKey(await loadProofKey(ctx)).export({ format: 'jwk' })
  half.text = Buffer.from(x ?? '', 'base64url').toString('base64')
  return { publicKey: half.text }
}

/** Signs "this address belongs to this payment" (money.md 5.4); returns the Ed25519 signature as base64 (RFC 8032). */
export async function signAddressProof(ctx: Context, claim: AddressClaim): Promise<string> {
  return sign(null, addressProofMessage(claim), await loadProofKey(ctx)).toString('base64')
}

async function loadProofKey(ctx: Context): Promise<KeyObject> {
  const known = await findSecretByKind(ctx, 'address_proof')
  const der = known ? await openRow(ctx, known) : await makeProofKey(ctx)
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } finally {
    der.fill(0)
  }
}

/** Creates the key once: when two processes try, the database accepts one of them, and both use that key. */
async function makeProofKey(ctx: Context): Promise<Buffer> {
  const value = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
  const id = await nextSecretId(ctx)
  const row = await envelopeRow(ctx, id, { kind: 'address_proof', label: 'Address proofs', value })
  if (await insertSecret(ctx, row)) return value
  value.fill(0)
  const winner = await findSecretByKind(ctx, 'address_proof')
  if (!winner) throw new Error('The address-proof key is neither made nor found')
  return openRow(ctx, winner)
}

async function envelopeRow(ctx: Context, id: number, { kind, label, value, vaultId = FIRST_VAULT }: NewSecret) {
  const vault = (await findVault(ctx, vaultId)) ?? fail('VAULT_NOT_FOUND')
  const version = FIRST_VERSION
  const key = await vaultKey(ctx, vault, vault.key_version)
  const { wrappedKey, sealed } = sealEnvelope(key, value, envelopeLabel({ vaultId, id, kind, version }))
  key.fill(0)
  return {
    ...{ id, kind, label, version, vault_id: vaultId, key_version: vault.key_version },
    ...{ wrapped_key: wrappedKey, sealed, created_at: ctx.now() },
  }
}

async function openRow(ctx: Context, row: FoundSecret): Promise<Buffer> {
  heldKeys(ctx).used.add(row.vault_id)
  try {
    return await openFound(ctx, row)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    // Inside a transaction, which this failure ends, nothing can be stored; the regular check of all secrets will.
    if (!ctx.db.isTransaction) await noteReadable(ctx, row.vault_id, { checked: [row.id], unreadable: [row.id] })
    throw new Error(`Secret ${row.id} cannot be opened: the master key is another one, or the row was changed`, {
      cause,
    })
  }
}
