/**
 * The processes that may open secrets. Each one announces itself in the database with a public key that exists as long as the
 * process; the one that unlocks a vault seals its root key to each of them (decision 0033).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

import { keyFor } from '../../../config/keys.ts'
import { asSystem, type Context } from '../../../context.ts'
import type { Running } from '../../../jobs/worker-group.ts'
import { forgetLocked, heldKeys, takeGrants } from './held-keys.ts'
import { grantLabel } from './rules.ts'
import { sealTo } from './sealed-box.ts'
import {
  deleteLostProcesses,
  deleteProcess,
  listLockCounts,
  listProcesses,
  updateLastUsed,
  upsertGrant,
  upsertProcess,
} from './store.ts'
import type { VaultProcessRow, VaultRow } from './tables.ts'

/** How often a process renews its announcement, and looks for keys although no event named any. */
const BEAT_MS = 10_000

/** The lease outlasts several missed renewals. */
const LEASE_SECONDS = 45

/**
 * Lets this process receive the keys of unlocked vaults until it is stopped. A process without the key for vaults takes no
 * part.
 */
export async function joinVaults(server: Context): Promise<Running> {
  const ctx = asSystem(server)
  if (!ctx.keys.has('vault')) return { stop: async () => undefined }
  await beat(ctx)
  let last = Promise.resolve()
  const soon = () => void (last = last.then(() => beat(ctx)).catch((err: unknown) => ctx.log.warn({ err }, 'vaults')))
  const unsubscribe = ctx.live.subscribe((message) => {
    if (message === null || message.name === 'vault.changed') soon()
  })
  const timer = setInterval(soon, BEAT_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      unsubscribe()
      await last
      // Without the database its lease expires.
      const left = (err: unknown) => ctx.log.warn({ err }, 'vaults still count this process for a while')
      await deleteProcess(ctx, heldKeys(ctx).processId).catch(left)
    },
  }
}

async function beat(ctx: Context): Promise<void> {
  const { processId: id, box, roots, used } = heldKeys(ctx)
  await takeGrants(ctx)
  forgetLocked(ctx, await listLockCounts(ctx, [...roots.keys()]))
  const open = [...roots].map(([vaultId, { lockCount }]) => ({ vaultId, lockCount }))
  const { publicKey } = box
  await upsertProcess(ctx, {
    ...{ id, public_key: publicKey, proof: proofOf(ctx, id, publicKey) },
    ...{ open, leaseSeconds: LEASE_SECONDS },
  })
  const noted = [...used]
  if (noted.length > 0) await updateLastUsed(ctx, noted)
  for (const vaultId of noted) used.delete(vaultId)
  await deleteLostProcesses(ctx)
}

/** Sends the root key of a vault to every process that runs. Joins the open transaction. */
export async function grantToAll(
  ctx: Context,
  vault: Pick<VaultRow, 'id' | 'lock_count'>,
  root: Buffer,
): Promise<void> {
  const processes = (await listProcesses(ctx)).filter((one) => isProven(ctx, one))
  for (const { id: processId, public_key } of processes) {
    const place = { vaultId: vault.id, processId, lockCount: vault.lock_count }
    await upsertGrant(ctx, {
      ...{ process_id: processId, vault_id: vault.id, lock_count: vault.lock_count },
      sealed: sealTo(public_key, root, grantLabel(place)),
    })
  }
}

/** Whether one of our processes wrote the row: write access to the database alone gets no keys. */
function isProven(ctx: Context, { id, public_key, proof }: VaultProcessRow): boolean {
  const expected = proofOf(ctx, id, public_key)
  if (proof.length === expected.length && timingSafeEqual(proof, expected)) return true
  ctx.log.error({ process: id }, 'a process that does not have the master key asks for the keys of vaults')
  return false
}

function proofOf(ctx: Context, id: string, publicKey: Buffer): Buffer {
  return createHmac('sha256', keyFor(ctx, 'processes')).update(id).update(publicKey).digest()
}
