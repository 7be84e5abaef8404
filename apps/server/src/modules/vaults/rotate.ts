import { randomBytes } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { openEnvelope, sealBytes, sealEnvelope } from './keys/envelope.ts'
import { isOpen, rootKey, vaultKey } from './keys/held-keys.ts'
import { vaultKeyLabel } from './keys/rules.ts'
import { deleteVaultKeysBefore, insertVaultKey, lockVaultRow, updateVault } from './keys/store.ts'
import { emitVaultChanged } from './vault-changed.ts'
import { envelopeLabel } from './rules.ts'
import {
  type CountedVault,
  hasOldSecrets,
  listVaults,
  lockOldSecrets,
  type ResealedSecret,
  updateSealed,
} from './store.ts'
import type { SecretRow } from './tables.ts'

const KEY_BYTES = 32

/** Secrets of one transaction: some milliseconds of encryption. */
const BATCH = 250

/** Runs when a rotation begins, and periodically, to continue what a process that died or a locked vault has left. */
export const continueRotationsJob = job({
  queue: 'vaults.continue-rotations',
  worker: 'account-processor',
  run: continueRotations,
  everySeconds: 60,
})

/**
 * Gives a vault a new key, under which each of its secrets will be encrypted again. While an earlier rotation has not ended,
 * the call only continues that one. Joins the open transaction. @throws VAULT_NOT_FOUND, VAULT_LOCKED
 */
export async function beginRotation(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const vault = (await lockVaultRow(tx, id)) ?? fail('VAULT_NOT_FOUND')
    const root = await rootKey(tx, vault)
    if (!(await hasOldSecrets(tx, { vaultId: id, keyVersion: vault.key_version }))) {
      const version = vault.key_version + 1
      const key = randomBytes(KEY_BYTES)
      await insertVaultKey(tx, { vault_id: id, version, wrapped: sealBytes(root, key, vaultKeyLabel(id, version)) })
      key.fill(0)
      await updateVault(tx, id, { key_version: version })
      tx.change({ id, keyVersion: vault.key_version }, { id, keyVersion: version })
      await emitVaultChanged(tx, id, 'rotated')
    }
    root.fill(0)
    await continueRotationsJob.send(tx, {}, { singletonKey: 'all' })
  })
}

/**
 * Encrypts again what older keys wrap, in every vault that this process can open. Each batch is a transaction: a process that
 * dies loses its batch, which the next run repeats. A secret that cannot be opened stays under its old key, and that key stays
 * stored.
 */
export async function continueRotations(ctx: Context): Promise<void> {
  for (const vault of await listVaults(ctx)) {
    if (vault.old_count > 0 && (await isOpen(ctx, vault))) await rotateSecrets(ctx, vault)
    // The database refuses to delete a key that a secret needs, even one that was sealed a moment ago.
    const old = { vaultId: vault.id, keyVersion: vault.key_version }
    if (vault.key_version > 1 && !(await hasOldSecrets(ctx, old))) {
      await deleteVaultKeysBefore(ctx, vault.id, vault.key_version)
    }
  }
}

async function rotateSecrets(ctx: Context, vault: CountedVault): Promise<void> {
  const to = { vaultId: vault.id, keyVersion: vault.key_version }
  for (let after = 0; ;) {
    const last = await inTransaction(ctx, async (tx) => {
      const rows = await lockOldSecrets(tx, { ...to, after, limit: BATCH })
      const sealed: ResealedSecret[] = []
      for (const row of rows) sealed.push(...(await reseal(tx, vault, row)))
      if (sealed.length > 0) await updateSealed(tx, sealed)
      tx.events.announce(tx, { name: 'vault.rotating', projectId: null, data: { id: vault.id } })
      return rows.at(-1)?.id
    })
    if (last === undefined) return
    after = last
  }
}

/** The row, sealed with a new data key under the new vault key; null when the secret cannot be opened. @throws VAULT_LOCKED */
async function reseal(ctx: Context, vault: CountedVault, row: SecretRow): Promise<ResealedSecret[]> {
  const { id, kind } = row
  const from = await vaultKey(ctx, vault, row.key_version)
  const to = await vaultKey(ctx, vault, vault.key_version)
  try {
    const envelope = { wrappedKey: row.wrapped_key, sealed: row.sealed }
    const value = openEnvelope(from, envelope, envelopeLabel({ ...row, vaultId: vault.id }))
    const version = row.version + 1
    const { wrappedKey, sealed } = sealEnvelope(to, value, envelopeLabel({ vaultId: vault.id, id, kind, version }))
    value.fill(0)
    return [{ id, version, key_version: vault.key_version, wrapped_key: wrappedKey, sealed }]
  } catch (err) {
    ctx.log.error({ err, secret: id }, 'a secret cannot be encrypted anew because it cannot be opened')
    return []
  } finally {
    from.fill(0)
    to.fill(0)
  }
}
