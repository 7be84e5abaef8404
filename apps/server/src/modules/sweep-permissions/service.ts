/**
 * Permissions of deposit addresses that have their own key: what each key is asked to sign, checked field by field, and whether
 * the chain accepts it. Sweeps ask here which addresses are ready. No permission can move money anywhere but to the collector
 * of its sweep contract (money.md 6.6, 6.7).
 */
import type { Permit } from '@kassa/chains/sweep-vaults.ts'
import type { SignedAuthorization } from '@kassa/keys/evm/authorization.ts'
import { readPermission, readSignature } from '@kassa/keys/evm/permission-json.ts'

import type { Context } from '../../context.ts'
import { countBroadcast, listReady, listStale, type ReadyAsk } from './record/store.ts'
import type { PermissionRow } from './record/tables.ts'

export { reopenPermissions } from './following/service.ts'

/**
 * How money of an address can be moved now. `approve`: the contract pulls it. `permit`: the contract pulls it after presenting
 * the permit, which the chain does not hold yet. `authorization`: the account is delegated; the transaction carries the
 * delegation until the chain holds it.
 */
export type ReadyPermission = {
  readonly permissionId: bigint
  readonly addressId: bigint
  readonly address: string
  readonly kind: 'approve' | 'permit' | 'authorization'
  readonly vault: string
  readonly permit: Permit | null
  readonly authorization: SignedAuthorization | null
}

/** Returns one permission for an asset and a vault of each of these addresses that has any; one that the chain holds already comes first. */
export async function readyPermissions(
  ctx: Context,
  ask: ReadyAsk & { readonly vault: string },
): Promise<ReadyPermission[]> {
  const ready = (await listReady(ctx, ask)).map(readyOf)
  const best = new Map<bigint, ReadyPermission>()
  for (const one of ready.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (!best.has(one.addressId)) best.set(one.addressId, one)
  }
  return [...best.values()]
}

/** Counts transactions signed by deposit addresses that wait for blocks of a blockchain. */
export function countWaitingPermissions(ctx: Context, blockchainId: number): Promise<number> {
  return countBroadcast(ctx, blockchainId)
}

/** Which of these addresses must sign again, because what they signed is no longer valid. */
export function staleAddresses(ctx: Context, ask: ReadyAsk): Promise<bigint[]> {
  return listStale(ctx, ask)
}

/** A delegated account takes no permit (S-4), so its delegation counts before one. */
function rankOf({ kind, permit, authorization }: ReadyPermission): number {
  if (kind === 'authorization') return authorization === null ? 0 : 3
  return permit === null ? 1 : 2
}

function readyOf(row: PermissionRow): ReadyPermission {
  const named = { permissionId: row.id, addressId: row.address_id, address: row.permission.from, vault: row.vault }
  const isOnChain = row.state === 'used' || row.kind === 'approve_tx'
  const kind = row.kind === 'authorization' ? 'authorization' : isOnChain ? 'approve' : 'permit'
  const nothing = { permit: null, authorization: null }
  if (isOnChain) return { ...named, kind, ...nothing }
  const asked = readPermission(row.permission)
  const signed = asked && readSignature(asked.kind, row.signature)
  if (signed?.kind === 'authorization') return { ...named, kind, ...nothing, authorization: signed.authorization }
  if (asked?.kind !== 'permit' || signed?.kind !== 'permit') throw new Error(`Permission ${row.id} cannot be read`)
  const { owner, value, deadline } = asked.message
  const { yParity, r, s } = signed.signature
  const word = (number: bigint) => `0x${number.toString(16).padStart(64, '0')}`
  return { ...named, kind, ...nothing, permit: { owner, value, deadline, v: 27 + yParity, r: word(r), s: word(s) } }
}
