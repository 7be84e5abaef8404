/**
 * The vault keeps secrets sealed: each under a data key of its own, every data key wrapped by the master key, which
 * never enters the database (money.md 5.3). Other modules hold a secret's id and open it where it is used.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

import { keyFor } from '../../config/keys.ts'
import type { Context } from '../../context.ts'
import { remembered } from '../../memory.ts'
import { openEnvelope, sealEnvelope } from './envelope.ts'
import { type AddressClaim, addressProofMessage, envelopeLabel } from './rules.ts'
import { deleteSecret, findSecret, findSecretByKind, insertSecret, nextSecretId } from './store.ts'
import type { SecretRow } from './tables.ts'

export type NewSecret = {
  /** What the value is, such as `webhook_secret`; the seal is bound to it. */
  readonly kind: string
  /** What people read in the list of secrets; never part of the value. */
  readonly label: string
  readonly value: Buffer
}

const FIRST_VERSION = 1

/** Seals a value and returns the id it is opened by. Joins the open transaction. */
export async function seal(ctx: Context, secret: NewSecret): Promise<number> {
  const id = await nextSecretId(ctx)
  await insertSecret(ctx, envelopeRow(ctx, id, secret))
  return id
}

/** Opens a secret; the caller overwrites the buffer after use. @throws Error when it is absent or was tampered with */
export async function open(ctx: Context, secretId: number): Promise<Buffer> {
  const row = await findSecret(ctx, secretId)
  if (!row) throw new Error(`There is no secret ${secretId}`)
  return openRow(ctx, row)
}

/** Removes a secret that nothing refers to any more. */
export async function forget(ctx: Context, secretId: number): Promise<void> {
  await deleteSecret(ctx, secretId)
}

/** What everybody may know of the key that proves addresses: the secret half is opened where it signs only. */
const publicHalf = remembered((): { text?: string } => ({}))

/**
 * Returns the public half of the Ed25519 key that proves addresses: 32 bytes as base64. The key is made at first use,
 * and never becomes another one; call it outside transactions.
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
  const der = known ? openRow(ctx, known) : await makeProofKey(ctx)
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } finally {
    der.fill(0)
  }
}

/** Makes the key once: of two processes at once the database lets one win, and both use the winner's. */
async function makeProofKey(ctx: Context): Promise<Buffer> {
  const value = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
  const id = await nextSecretId(ctx)
  const row = envelopeRow(ctx, id, { kind: 'address_proof', label: 'Address proofs', value })
  if (await insertSecret(ctx, row)) return value
  value.fill(0)
  const winner = await findSecretByKind(ctx, 'address_proof')
  if (!winner) throw new Error('The address-proof key is neither made nor found')
  return openRow(ctx, winner)
}

function envelopeRow(ctx: Context, id: number, { kind, label, value }: NewSecret) {
  const version = FIRST_VERSION
  const { wrappedKey, sealed } = sealEnvelope(keyFor(ctx, 'vault'), value, envelopeLabel({ id, kind, version }))
  return { id, kind, label, wrapped_key: wrappedKey, sealed, version, created_at: ctx.now() }
}

function openRow(ctx: Context, row: SecretRow): Buffer {
  const envelope = { wrappedKey: row.wrapped_key, sealed: row.sealed }
  try {
    return openEnvelope(keyFor(ctx, 'vault'), envelope, envelopeLabel(row))
  } catch (cause) {
    throw new Error(`Secret ${row.id} cannot be opened: the master key is another one, or the row was changed`, {
      cause,
    })
  }
}
