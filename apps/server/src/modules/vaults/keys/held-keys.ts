/**
 * The keys of vaults that this process holds. The root key of a vault without a passphrase is the master key. That of a vault
 * with one arrives sealed to this process (decision 0033), and is valid until the vault is locked.
 */
import { randomUUID } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'

import { keyFor } from '../../../config/keys.ts'
import type { Context } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import { openBytes } from './envelope.ts'
import { grantLabel, vaultKeyLabel } from './rules.ts'
import { type BoxKeys, makeBoxKeys, openBox } from './sealed-box.ts'
import { deleteGrants, findVaultKey, listGrants } from './store.ts'
import type { VaultRow } from './tables.ts'

/** A key, and the lock count of its vault when the key arrived. */
type HeldKey = { readonly key: Buffer; readonly lockCount: number }

type Held = {
  /** This process as the others see it; its private key exists as long as the process. */
  readonly processId: string
  readonly box: BoxKeys
  readonly roots: Map<number, HeldKey>
  /** By vault, then by version. */
  readonly keys: Map<number, Map<number, HeldKey>>
  /** Vaults whose secrets were opened since the last use was stored. */
  readonly used: Set<number>
}

/** What this process holds. */
export const heldKeys = remembered((): Held => ({
  processId: randomUUID(),
  box: makeBoxKeys(),
  roots: new Map(),
  keys: new Map(),
  used: new Set(),
}))

/** What is needed to open a vault. */
export type VaultState = Pick<VaultRow, 'id' | 'provider' | 'lock_count'>

/**
 * Returns a key of a vault; the caller overwrites it after use. The copy stays intact when the process forgets its own
 * meanwhile.
 * @throws VAULT_LOCKED, and Error when the root key is another one
 */
export async function vaultKey(ctx: Context, vault: VaultState, version: number): Promise<Buffer> {
  const { keys } = heldKeys(ctx)
  const known = keys.get(vault.id)?.get(version)
  if (known?.lockCount === vault.lock_count) return Buffer.from(known.key)
  const root = await rootKey(ctx, vault)
  const row = await findVaultKey(ctx, vault.id, version)
  if (!row) throw new Error(`Vault ${vault.id} has no key ${version}`)
  const key = row.wrapped === null ? root : unwrap(root, row.wrapped, vault.id, version)
  // The vault was locked meanwhile: what is kept now, nothing would overwrite.
  if (vault.provider === 'passphrase' && !currentRoot(ctx, vault)) return key
  const versions = keys.get(vault.id) ?? new Map<number, HeldKey>()
  keys.set(vault.id, versions.set(version, { key: Buffer.from(key), lockCount: vault.lock_count }))
  return key
}

function unwrap(root: Buffer, wrapped: Buffer, vaultId: number, version: number): Buffer {
  try {
    return openBytes(root, wrapped, vaultKeyLabel(vaultId, version))
  } catch (cause) {
    throw new Error(`Key ${version} of vault ${vaultId} cannot be opened: the master key is another one`, { cause })
  } finally {
    root.fill(0)
  }
}

/** Returns the root key of a vault; the caller overwrites it after use. @throws VAULT_LOCKED */
export async function rootKey(ctx: Context, vault: VaultState): Promise<Buffer> {
  if (vault.provider !== 'passphrase') return Buffer.from(keyFor(ctx, 'vault'))
  return Buffer.from(
    currentRoot(ctx, vault) ?? (await takeGrants(ctx), currentRoot(ctx, vault)) ?? fail('VAULT_LOCKED'),
  )
}

/** Whether this process can open the vault now. */
export async function isOpen(ctx: Context, vault: VaultState): Promise<boolean> {
  if (vault.provider !== 'passphrase' || currentRoot(ctx, vault)) return true
  await takeGrants(ctx)
  return currentRoot(ctx, vault) !== undefined
}

function currentRoot(ctx: Context, { id, lock_count }: VaultState): Buffer | undefined {
  const held = heldKeys(ctx).roots.get(id)
  return held?.lockCount === lock_count ? held.key : undefined
}

/** Reads the root keys that were sent to this process, and deletes what it has read. */
export async function takeGrants(ctx: Context): Promise<void> {
  const { processId, box } = heldKeys(ctx)
  const grants = await listGrants(ctx, processId)
  if (grants.length === 0) return
  for (const { vault_id: vaultId, lock_count: lockCount, sealed } of grants) {
    const key = tryOpen(ctx, () => openBox(box, sealed, grantLabel({ vaultId, processId, lockCount })))
    if (key) holdRoot(ctx, vaultId, { key, lockCount })
  }
  const ids = grants.map(({ vault_id }) => vault_id)
  await deleteGrants(ctx, processId, ids)
}

/** Holds a root key, so that this process opens the vault until it is locked. */
export function holdRoot(ctx: Context, vaultId: number, root: HeldKey): void {
  heldKeys(ctx).roots.set(vaultId, root)
}

/** Overwrites and forgets the keys of a vault that was locked after they arrived. */
export function forgetLocked(ctx: Context, lockCounts: ReadonlyMap<number, number>): void {
  const { roots, keys } = heldKeys(ctx)
  for (const [vaultId, root] of roots) {
    if (lockCounts.get(vaultId) === root.lockCount) continue
    root.key.fill(0)
    roots.delete(vaultId)
    for (const { key } of keys.get(vaultId)?.values() ?? []) key.fill(0)
    keys.delete(vaultId)
  }
}

/** Anybody who can write to the database can put anything there: such a row opens nothing, and does not stop the others. */
function tryOpen(ctx: Context, open: () => Buffer): Buffer | undefined {
  try {
    return open()
  } catch (err) {
    ctx.log.error({ err }, 'a key of a vault was sent to this process that it cannot open')
    return undefined
  }
}
