import { randomBytes } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'
import type { NewVault, VaultChange } from '@kassa/contract/vaults/schemas.ts'

import { type Context, inTransaction } from '../../context.ts'
import { sealBytes } from './keys/envelope.ts'
import { rootKey } from './keys/held-keys.ts'
import { openRoot, wrapRoot } from './keys/passphrase.ts'
import { grantToAll } from './keys/processes.ts'
import { vaultKeyLabel } from './keys/rules.ts'
import {
  deleteVaultRow,
  findVault,
  findVaultByName,
  insertVault,
  insertVaultKey,
  lockVaultRow,
  nextVaultId,
  type PassphraseColumns,
  updateDefaultVault,
  updateLocked,
  updateVault,
} from './keys/store.ts'
import type { VaultRow } from './keys/tables.ts'
import { FIRST_VAULT } from './rules.ts'
import { listVaults } from './store.ts'
import { emitVaultChanged } from './vault-changed.ts'

const KEY_BYTES = 32

/** A new vault that is ready to be written: everything slow is done. */
export type PreparedVault = {
  readonly id: number
  readonly input: NewVault
  readonly root: Buffer
  readonly passphrase: PassphraseColumns | undefined
}

/**
 * Computes the hashes of a new vault; call it outside of transactions. @throws VAULT_PROVIDER_UNAVAILABLE, SERVICE_UNAVAILABLE
 */
export async function prepareVault(ctx: Context, input: NewVault, network: string): Promise<PreparedVault> {
  const id = await nextVaultId(ctx)
  if (input.provider !== 'passphrase') {
    requireProvider(ctx, input.provider)
    const root = await rootKey(ctx, { id, provider: input.provider, lock_count: 0 })
    return { id, input, root, passphrase: undefined }
  }
  const root = randomBytes(KEY_BYTES)
  const typed = { password: input.passphrase ?? '', network }
  return { id, input, root, passphrase: await wrapRoot(ctx, id, root, typed) }
}

/** Creates a vault; one with a passphrase is unlocked for its first secret. Joins the open transaction. @throws VAULT_EXISTS */
export async function createVault(ctx: Context, { id, input, root, passphrase }: PreparedVault): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const { name, provider } = input
    const vault = (await insertVault(tx, { id, name, provider, ...passphrase })) ?? refuseName()
    const key = randomBytes(KEY_BYTES)
    await insertVaultKey(tx, { vault_id: id, version: 1, wrapped: sealBytes(root, key, vaultKeyLabel(id, 1)) })
    key.fill(0)
    if (passphrase) await grantToAll(tx, vault, root)
    tx.change(null, { id, name, provider })
    await emitVaultChanged(tx, id, 'created')
    return id
  })
}

/** A change whose passphrase, if there is one, was checked and hashed. */
export type PreparedChange = {
  readonly id: number
  readonly input: VaultChange
  /** The salt under which the current passphrase was right, and the root key under the new one. */
  readonly passphrase: { readonly salt: Buffer; readonly columns: PassphraseColumns } | undefined
}

/**
 * Checks the current passphrase and hashes the new one; call it outside of transactions. It needs no open vault.
 * @throws VAULT_NOT_FOUND, VAULT_HAS_NO_PASSPHRASE, VAULT_PASSPHRASE_WRONG, VAULT_PASSPHRASE_THROTTLED
 */
export async function prepareChange(
  ctx: Context,
  id: number,
  input: VaultChange,
  network: string,
): Promise<PreparedChange> {
  const vault = await getVault(ctx, id)
  const { passphrase, currentPassphrase } = input
  if (passphrase === undefined) return { id, input, passphrase: undefined }
  const root = await openRoot(ctx, vault, { password: currentPassphrase ?? '', network })
  try {
    const columns = await wrapRoot(ctx, id, root, { password: passphrase, network })
    return { id, input, passphrase: { salt: saltOf(vault), columns } }
  } finally {
    root.fill(0)
  }
}

/**
 * Renames a vault, makes it the default, or changes its passphrase. Joins the open transaction. When two changes of a
 * passphrase meet, one wins, and the other gets VAULT_PASSPHRASE_WRONG. @throws VAULT_NOT_FOUND, VAULT_EXISTS,
 * VAULT_PASSPHRASE_WRONG
 */
export async function changeVault(ctx: Context, { id, input, passphrase }: PreparedChange): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const vault = (await lockVaultRow(tx, id)) ?? fail('VAULT_NOT_FOUND')
    const { name } = input
    if (name !== undefined) {
      const namesake = await findVaultByName(tx, name)
      if (namesake && namesake.id !== id) refuseName()
      await updateVault(tx, id, { name })
    }
    if (passphrase) {
      if (!saltOf(vault).equals(passphrase.salt)) fail('VAULT_PASSPHRASE_WRONG')
      await updateVault(tx, id, passphrase.columns)
    }
    if (input.isDefault) await updateDefaultVault(tx, id)
    const before = { id, name: vault.name, isDefault: vault.is_default }
    tx.change(before, { id, name: name ?? vault.name, isDefault: vault.is_default || input.isDefault === true })
    await emitVaultChanged(tx, id, passphrase ? 'passphrase_changed' : 'changed')
  })
}

/** A vault whose passphrase was right, and its root key. */
export type PreparedUnlock = { readonly id: number; readonly salt: Buffer; readonly root: Buffer }

/**
 * Checks the passphrase of a vault; call it outside of transactions.
 * @throws VAULT_NOT_FOUND, VAULT_HAS_NO_PASSPHRASE, VAULT_PASSPHRASE_WRONG, VAULT_PASSPHRASE_THROTTLED
 */
export async function prepareUnlock(
  ctx: Context,
  id: number,
  passphrase: string,
  network: string,
): Promise<PreparedUnlock> {
  const vault = await getVault(ctx, id)
  const root = await openRoot(ctx, vault, { password: passphrase, network })
  return { id, root, salt: saltOf(vault) }
}

/** Unlocks a vault in every process that runs. Joins the open transaction. @throws VAULT_NOT_FOUND, VAULT_PASSPHRASE_WRONG */
export async function unlockVault(ctx: Context, { id, salt, root }: PreparedUnlock): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const vault = (await lockVaultRow(tx, id)) ?? fail('VAULT_NOT_FOUND')
    if (!saltOf(vault).equals(salt)) fail('VAULT_PASSPHRASE_WRONG')
    await grantToAll(tx, vault, root)
    tx.change({ id, name: vault.name }, { id, name: vault.name, status: 'unlocked' })
    await emitVaultChanged(tx, id, 'unlocked')
  })
}

/**
 * Locks a vault: from the commit on, no process opens or seals a secret of it, whatever keys it holds.
 * @throws VAULT_NOT_FOUND, VAULT_HAS_NO_PASSPHRASE
 */
export async function lockVault(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const vault = (await lockVaultRow(tx, id)) ?? fail('VAULT_NOT_FOUND')
    if (vault.provider !== 'passphrase') fail('VAULT_HAS_NO_PASSPHRASE')
    await updateLocked(tx, id)
    tx.change({ id, name: vault.name }, { id, name: vault.name, status: 'locked' })
    await emitVaultChanged(tx, id, 'locked')
  })
}

/** Deletes a vault that holds nothing. @throws VAULT_NOT_FOUND, VAULT_NOT_EMPTY, VAULT_IS_DEFAULT */
export async function deleteVault(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const vault = (await lockVaultRow(tx, id)) ?? fail('VAULT_NOT_FOUND')
    const [counted] = await listVaults(tx, id)
    if (id === FIRST_VAULT) {
      fail('VAULT_NOT_EMPTY', { details: 'This vault holds what the server itself needs. It cannot be deleted.' })
    }
    if ((counted?.secret_count ?? 0) > 0) fail('VAULT_NOT_EMPTY')
    if (vault.is_default) fail('VAULT_IS_DEFAULT')
    await deleteVaultRow(tx, id)
    tx.change({ id, name: vault.name, provider: vault.provider }, null)
    await emitVaultChanged(tx, id, 'deleted')
  })
}

async function getVault(ctx: Context, id: number): Promise<VaultRow> {
  return (await findVault(ctx, id)) ?? fail('VAULT_NOT_FOUND')
}

function saltOf({ salt }: VaultRow): Buffer {
  return salt ?? fail('VAULT_HAS_NO_PASSPHRASE')
}

function requireProvider(ctx: Context, provider: 'file' | 'env'): void {
  const { masterKeySource } = ctx.config
  if (provider === masterKeySource) return
  fail('VAULT_PROVIDER_UNAVAILABLE', {
    values: { source: masterKeySource === 'file' ? 'a file' : 'the environment' },
    details: `Choose ${masterKeySource}, or a passphrase.`,
    fields: { provider: `Provider must be one of: ${masterKeySource}, passphrase` },
  })
}

function refuseName(): never {
  return fail('VAULT_EXISTS', { fields: { name: 'A vault of this name exists.' } })
}
