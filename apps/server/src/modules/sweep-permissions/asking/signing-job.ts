import { fail } from '@kassa/contract/kit/api-error.ts'
import type { SigningJob } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { PermissionJson } from '@kassa/keys/evm/permission-json.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { findVault, type Vault } from '../../sweep-contracts/service.ts'
import { isInUse } from '../record/rules.ts'
import { findBatch, listApprovals, listOfBatch } from '../record/store.ts'
import type { BatchRow } from '../record/tables.ts'
import { type AheadAddress, listAddressFacts, listAhead, listCandidates } from './candidates-store.ts'
import { filterOf } from './list-approvals.ts'
import { chainOf, findPlace, findTarget, type Place, type Target, tokenOf } from './place.ts'
import { contractView, itemView, progressOf } from './view.ts'

type Names = { readonly b: string; readonly c: string }

/** How many delegations are signed ahead at once (S-2). */
const MOST_AHEAD = 1000

/** Names of batches that are not stored: delegations of a wallet, signed ahead. */
const AHEAD = /^ahead-(\d{1,9})$/

/** Reads the wallet from the name of a batch of delegations; null for a stored batch. */
export function aheadWallet(batchId: string): number | null {
  const match = AHEAD.exec(batchId)
  return match ? Number(match[1]) : null
}

/** What the keys of a batch are to sign, or those of a wallet ahead of time (K13). @throws SWEEP_BATCH_NOT_FOUND */
export async function jobOf(
  ctx: Context,
  names: Names,
  projectIds: ProjectScope['projectIds'],
  { batchID, walletID }: { readonly batchID?: string | undefined; readonly walletID?: number | undefined },
): Promise<SigningJob> {
  const place = await findPlace(ctx, names)
  if (batchID === undefined) return walletJob(ctx, place, projectIds, walletID ?? 0)
  const batch = await requireBatch(ctx, place, batchID)
  const approvals = await listApprovals(ctx, batch.id)
  const ids = approvals.map((one) => one.address_id)
  const facts = await listAddressFacts(ctx, ids, projectIds)
  const page = { sort: 'units', isAscending: false, limit: ids.length, offset: 0, from: null } as const
  const held = new Map(
    (await listCandidates(ctx, { ...filterOf(place, projectIds), addressIds: ids }, page)).map((one) => [
      one.id,
      one.units,
    ]),
  )
  const permissions = new Map((await listOfBatch(ctx, batch.id)).map((one) => [one.approval_id, one]))
  return {
    ...headOf(place, place.vault),
    batchID: String(batch.id),
    expiresAt: batch.expires_at,
    data: approvals.flatMap((approval) => {
      const known = facts.get(approval.address_id)
      if (!known) return []
      const { address, path } = known
      const { state } = progressOf(approval, permissions.get(approval.id), ctx.now())
      const isAsked = approval.state === 'open' && state === 'pending-approval' && isInUse(batch, place.vault)
      return {
        ...{ addressID: Number(approval.address_id), address, path, state },
        balance: formatUnits(held.get(approval.address_id) ?? 0n, place.asset.decimals),
        approval: isAsked ? itemView(approval.address_id, path, approval.permission) : null,
      }
    }),
  }
}

/** Finds a batch of an asset. @throws SWEEP_BATCH_NOT_FOUND */
export async function requireBatch(ctx: Context, { asset }: Place, batchId: string): Promise<BatchRow> {
  const batch = /^\d{1,18}$/.test(batchId) ? await findBatch(ctx, BigInt(batchId)) : undefined
  return batch?.asset_id === asset.id ? batch : fail('SWEEP_BATCH_NOT_FOUND')
}

/** A delegation for an address that was not asked yet. */
type AheadQuestion = AheadAddress & { readonly permission: PermissionJson }

/**
 * Composes delegations of addresses before they hold anything, so that the seed is not needed again until the supply runs low.
 * The signer derives each address itself.
 * @throws CONTRACT_ADDRESS_NOT_FOUND, COLD_WALLET_MISSING
 */
export async function composeAhead(
  ctx: Context,
  place: Place,
  walletId: number,
): Promise<{ readonly target: Target; readonly questions: readonly AheadQuestion[] }> {
  const { row, coin, adapter } = place
  const target = await findTarget(ctx, place, walletId)
  const familyId = findFamily(row.definition.family)?.id ?? 0
  const ask = {
    ...{ walletId, familyId, blockchainId: row.id, coinId: coin.id },
    ...{ vault: target.vault.address, limit: MOST_AHEAD },
  }
  const addresses = await listAhead(ctx, ask)
  const owners = addresses.map(({ address }) => address)
  const composed = adapter.permissions?.ahead(chainOf(ctx, place), target.place, owners) ?? []
  const questions = addresses.flatMap((address, at) => {
    const permission = composed[at]
    return permission ? [{ ...address, permission }] : []
  })
  return { target, questions }
}

/**
 * Lists every address of a wallet that holds the asset, in any state. For the native coin it adds the delegations that can be
 * signed ahead; the job is then a batch of its own.
 */
async function walletJob(
  ctx: Context,
  place: Place,
  projectIds: ProjectScope['projectIds'],
  walletId: number,
): Promise<SigningJob> {
  const { row, asset } = place
  const page = { sort: 'units', isAscending: false, limit: MOST_AHEAD, offset: 0, from: null } as const
  const held = await listCandidates(ctx, { ...filterOf(place, projectIds), walletId }, page)
  const vault = await findVault(ctx, { walletId, subType: 'eoa', blockchainId: row.id })
  // Addresses without a customer belong to no project: only callers who see every project see them.
  const isAhead = asset.standard === 'native' && vault?.problem === null && projectIds === 'every'
  const ahead = isAhead ? (await composeAhead(ctx, place, walletId)).questions : []
  const permissions = new Map(ahead.map((one) => [one.id, one.permission]))
  const rest = ahead.filter(({ id }) => !held.some((one) => one.id === id))
  return {
    ...headOf(place, vault),
    batchID: ahead.length > 0 ? `ahead-${walletId}` : null,
    expiresAt: null,
    data: [...held, ...rest.map((one) => ({ ...one, state: 'idle' as const }))].map(
      ({ id, address, path, units, state }) => {
        const permission = permissions.get(id)
        const approval = permission ? itemView(id, path, permission) : null
        return { addressID: Number(id), address, path, state, balance: formatUnits(units, asset.decimals), approval }
      },
    ),
  }
}

function headOf({ row, asset }: Place, vault: Vault | null) {
  return {
    ...{ blockchainCode: row.code, currencyCode: asset.currencyCode, currencyAddress: tokenOf(asset) },
    ...{ precision: asset.decimals, contract: vault && contractView(vault) },
  }
}
