import type { Composed } from '@kassa/chains/permissions.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ApprovalBatch } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { ApprovalRequest } from '@kassa/contract/sweeps/inputs.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { USUAL_SWEEP } from '../../blockchains/chains/service.ts'
import { openSession } from '../../blockchains/nodes/service.ts'
import { balancesOf } from '../../ledger/service.ts'
import { currentPrices } from '../../prices/service.ts'
import { findHotWallet, type HotWallet } from '../../wallets/hot/service.ts'
import { requireGenuine } from '../../wallets/service.ts'
import {
  insertApprovals,
  insertBatch,
  insertPermission,
  moveLapsed,
  type NewApproval,
  type NewPermission,
} from '../record/store.ts'
import type { ApprovalRow, BatchRow } from '../record/tables.ts'
import { type Candidate, listCandidates, sumTopUps } from './candidates-store.ts'
import { filterOf } from './list-approvals.ts'
import { findPlace, findTarget, type Place, type Target } from './place.ts'
import { candidateView, itemView } from './view.ts'

type Names = { readonly b: string; readonly c: string }
type Asked = Extract<Composed, { kind: 'ask' }>

/** What a batch will ask for, before it is stored. */
export type PreparedBatch = {
  readonly place: Place
  readonly target: Target
  readonly wallet: HotWallet | null
  readonly asked: readonly { readonly candidate: Candidate; readonly composed: Asked }[]
  readonly given: readonly { readonly candidate: Candidate; readonly as: 'approve_tx' | 'authorization' }[]
}

/**
 * Chooses addresses, asks nodes what each must sign and what gas it lacks, and makes sure that the hot wallet can pay for all
 * of it. Stores nothing; call it outside of transactions.
 * @throws ADDRESS_LOCKED, CONTRACT_ADDRESS_NOT_FOUND, COLD_WALLET_MISSING, HOT_WALLET_MISSING, INSUFFICIENT_GAS, GAS_TOO_HIGH,
 * SWEEP_BELOW_MINIMUM
 */
export async function prepareBatch(
  ctx: Context,
  names: Names,
  projectIds: ProjectScope['projectIds'],
  input: ApprovalRequest,
): Promise<PreparedBatch> {
  const place = await findPlace(ctx, names)
  const candidates = await chooseAddresses(ctx, place, projectIds, input)
  const target = await findTarget(ctx, place, candidates[0]?.walletId ?? 0)
  const composed = await composeAll(ctx, place, target, candidates)
  const pairs = candidates.map((candidate, at) => ({ candidate, composed: composed[at] }))
  const asked = pairs.flatMap(({ candidate, composed: one }) =>
    one?.kind === 'ask' ? [{ candidate, composed: one }] : [],
  )
  const given = pairs.flatMap(({ candidate, composed: one }) =>
    one?.kind === 'given' ? [{ candidate, as: one.as }] : [],
  )
  if (asked.length === 0 && given.length === 0) {
    return composed.some(({ kind }) => kind === 'dear') ? fail('GAS_TOO_HIGH') : fail('SWEEP_BELOW_MINIMUM')
  }
  const wallet = await requireGas(ctx, place, asked)
  return { place, target, wallet, asked, given }
}

/** The named addresses, or as many of the richest as fit into a batch. @throws ADDRESS_LOCKED, SWEEP_BELOW_MINIMUM */
async function chooseAddresses(
  ctx: Context,
  place: Place,
  projectIds: ProjectScope['projectIds'],
  { addressIDs, walletID, limit }: ApprovalRequest,
): Promise<Candidate[]> {
  const most = place.asset.sweepApprovalBatchSize ?? USUAL_SWEEP.approvalBatchSize
  const filter = {
    ...filterOf(place, projectIds),
    walletId: walletID ?? undefined,
    addressIds: addressIDs?.map(BigInt),
    ...(addressIDs ? {} : { states: ['idle'] as const }),
  }
  const page = {
    sort: 'units',
    isAscending: false,
    limit: Math.min(limit ?? most, most),
    offset: 0,
    from: null,
  } as const
  const found = (await listCandidates(ctx, filter, page)).slice(0, page.limit)
  const locked = found.find(({ state }) => state === 'pending-approval' || state === 'sweep-initiated')
  if (locked) return fail('ADDRESS_LOCKED', { values: { time: (locked.lockedUntil ?? ctx.now()).toISOString() } })
  const idle = found.filter(({ state }) => state === 'idle')
  if (idle.length === 0) return fail('SWEEP_BELOW_MINIMUM')
  for (const one of idle) await requireGenuine(ctx, derivedOf(one))
  return idle
}

function derivedOf({ walletId, familyId, derivationIndex, address }: Candidate) {
  return { wallet_id: walletId, family_id: familyId, derivation_index: derivationIndex, address }
}

async function composeAll(
  ctx: Context,
  { row }: Place,
  { permissions, place }: Target,
  candidates: readonly Candidate[],
): Promise<readonly Composed[]> {
  const session = await openSession(ctx, row.id)
  if (!session) throw new RetryableRpcError('unreachable', `No node of ${row.code} can be used.`)
  return permissions.compose(session, {
    ...place,
    owners: candidates.map(({ address, units }) => ({ address, units })),
  })
}

/** The hot wallet that pays for top-ups; null where none is needed. @throws HOT_WALLET_MISSING, INSUFFICIENT_GAS */
async function requireGas(
  ctx: Context,
  { row, coin }: Place,
  asked: PreparedBatch['asked'],
): Promise<HotWallet | null> {
  const needed = asked.reduce((sum, { composed: { topUp } }) => sum + (topUp ? topUp.units + topUp.fee : 0n), 0n)
  if (needed === 0n) return null
  const wallet = (await findHotWallet(ctx, { blockchainId: row.id, purpose: 'gas' })) ?? fail('HOT_WALLET_MISSING')
  const [float = 0n] = await balancesOf(ctx, [
    { kind: 'chain:hot', owner: `wallet:${wallet.walletId}`, unitId: coin.id },
  ])
  const short = needed + (await sumTopUps(ctx, row.id)) - float
  if (short <= 0n) return wallet
  const values = { amount: formatUnits(short, coin.decimals), currency: coin.currencyCode, address: wallet.address }
  return fail('INSUFFICIENT_GAS', { values })
}

/**
 * Locks the addresses and stores what each is to sign; the sender then signs the top-ups of these rows.
 * @throws ADDRESS_LOCKED when another request has asked one of them meanwhile
 */
export async function storeBatch(tx: Context, prepared: PreparedBatch): Promise<ApprovalBatch> {
  const { place, target, wallet, asked } = prepared
  const now = tx.now()
  const minutes = place.asset.sweepLockMinutes ?? USUAL_SWEEP.lockMinutes
  const expiresAt = new Date(now.getTime() + minutes * 60_000)
  await moveLapsed(tx)
  const batch = await insertBatch(tx, {
    ...{ blockchain_id: place.row.id, asset_id: place.asset.id },
    ...{ vault: target.place.vault, collector: target.place.collector, gas_wallet_id: wallet?.walletId ?? null },
    created_by: tx.caller.kind === 'operator' ? tx.caller.operatorId : null,
    ...{ created_at: now, expires_at: expiresAt },
  })
  const approvals = await insertApprovals(
    tx,
    asked.map((one) => approvalOf(batch, one)),
  )
  if (approvals.length < asked.length) fail('ADDRESS_LOCKED', { values: { time: expiresAt.toISOString() } })
  for (const one of prepared.given) await insertPermission(tx, givenOf(batch, one))
  const facts = { batchID: String(batch.id), blockchainCode: place.row.code, currencyCode: place.asset.currencyCode }
  tx.change(null, { ...facts, addresses: asked.length, vault: batch.vault, collector: batch.collector })
  await tx.events.emit(tx, { type: 'sweep.approval_requested', projectId: null, payload: facts })
  tx.events.announce(tx, { name: 'permission.due', projectId: null, data: { blockchainId: place.row.id } })
  return batchView(tx, prepared, batch, approvals)
}

function approvalOf(batch: BatchRow, { candidate, composed }: PreparedBatch['asked'][number]): NewApproval {
  const { permission, topUp } = composed
  return {
    ...{ batch_id: batch.id, address_id: candidate.id, asset_id: batch.asset_id, kind: permission.kind },
    ...{ permission: JSON.stringify(permission), locked_until: batch.expires_at },
    ...{ top_up_units: topUp?.units ?? 0n, top_up_ceiling: topUp?.fee ?? 0n },
  }
}

/** Permissions that the chain holds already need no signature. */
function givenOf(batch: BatchRow, { candidate, as }: PreparedBatch['given'][number]): NewPermission {
  const nothing = {
    signature: null,
    digest: null,
    tx_id: null,
    raw: null,
    body: null,
    sequence: null,
    max_fee: null,
    valid_until: null,
  }
  return {
    ...{ address_id: candidate.id, blockchain_id: batch.blockchain_id, approval_id: null, kind: as, state: 'used' },
    asset_id: as === 'authorization' ? null : batch.asset_id,
    ...{
      vault: batch.vault,
      collector: batch.collector,
      permission: JSON.stringify({ kind: as, from: candidate.address }),
    },
    ...nothing,
    planned_height: null,
    created_at: batch.created_at,
    approved_at: batch.created_at,
  }
}

async function batchView(
  tx: Context,
  { place, asked }: PreparedBatch,
  batch: BatchRow,
  approvals: readonly ApprovalRow[],
): Promise<ApprovalBatch> {
  const price = (await currentPrices(tx)).get(place.asset.id)
  const inBatch = new Map(approvals.map((approval) => [approval.address_id, approval]))
  return {
    batchID: String(batch.id),
    expiresAt: batch.expires_at,
    addresses: asked.map(({ candidate, composed }) => {
      const topUp = { units: composed.topUp?.units ?? 0n, isSent: false, isFinal: false }
      const state = { state: 'pending-approval', lockedUntil: batch.expires_at, batchId: batch.id } as const
      return candidateView({ ...candidate, ...state, kind: composed.permission.kind, topUp }, place, price)
    }),
    approvals: asked.flatMap(({ candidate }) => {
      const approval = inBatch.get(candidate.id)
      return approval ? [itemView(candidate.id, candidate.path, approval.permission)] : []
    }),
    gasTopUps: asked.flatMap(({ candidate, composed: { topUp } }) =>
      topUp ? [{ addressID: Number(candidate.id), amount: formatUnits(topUp.units, place.coin.decimals) }] : [],
    ),
  }
}
