import type { Permissions } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import type { Validity } from '@kassa/chains/permissions.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { type ContinueOnError, continueOnError } from '../../../jobs/continue-on-error.ts'
import {
  adapterOf,
  type Asset,
  type BlockchainRow,
  listAssets,
  listBlockchains,
} from '../../blockchains/chains/service.ts'
import { Overdrawn, post } from '../../ledger/service.ts'
import { isDecided, openRelay, type Relay } from '../../sends/service.ts'
import { findVault } from '../../sweep-contracts/service.ts'
import { feeEntry } from '../record/postings.ts'
import { isPaid } from '../record/rules.ts'
import {
  findFeeFacts,
  listToCheck,
  listWaiting,
  listWaitingChains,
  moveLapsed,
  movePermission,
  updateChecked,
  updateEntries,
} from '../record/store.ts'
import type { PermissionRow } from '../record/tables.ts'
import { signTopUps } from './top-ups.ts'

/** Permissions of a blockchain handled in one pass. */
const BATCH = 200

/** How often the chain is asked whether a permission is still valid, and for how many at once. */
const CHECK_EVERY_MS = 10 * 60_000
const CHECKED_AT_ONCE = 20

/** Nodes drop transactions that wait for long, so they get the bytes again. */
const REBROADCAST_MS = 30_000

/**
 * What a process remembers between passes; after a start it broadcasts everything again. `followedTo` has the last permission of
 * each blockchain's former pass: the next one begins behind it, so that many that stay undecided keep none waiting.
 */
export type FollowMemory = {
  readonly broadcastAt: Map<bigint, number>
  readonly followedTo: Map<number, bigint>
}

/**
 * Works once on everything that was asked and signed. Every step can be repeated, and the process may die between any two: the
 * next pass finds what was committed, and nothing else has happened. One failure does not stop the others; it is thrown at the
 * end.
 */
export async function followPermissions(ctx: Context, memory: FollowMemory): Promise<void> {
  await inTransaction(ctx, moveLapsed)
  const going = continueOnError(ctx)
  await signTopUps(ctx, going)
  const checkedBefore = new Date(ctx.now().getTime() - CHECK_EVERY_MS)
  for (const blockchainId of await listWaitingChains(ctx, checkedBefore)) {
    await going.attempt({ blockchainId: String(blockchainId) }, async () => {
      try {
        await followChain(ctx, blockchainId, { memory, checkedBefore, going })
      } catch (error) {
        if (!(error instanceof RetryableRpcError) && !(error instanceof NodeRejected)) throw error
        ctx.log.warn({ err: error, blockchainId }, 'no node says what became of permissions')
      }
    })
  }
  going.end()
}

/** One pass over the permissions of a blockchain. */
type Pass = {
  readonly ctx: Context
  readonly row: BlockchainRow
  readonly assets: readonly Asset[]
  readonly permissions: Permissions
  readonly relay: Relay
  readonly memory: FollowMemory
}

type Following = { readonly memory: FollowMemory; readonly checkedBefore: Date; readonly going: ContinueOnError }

async function followChain(
  ctx: Context,
  blockchainId: number,
  { memory, checkedBefore, going }: Following,
): Promise<void> {
  const row = (await listBlockchains(ctx)).find(({ id }) => id === blockchainId)
  const permissions = row && adapterOf(row.definition.family)?.permissions
  const relay = permissions && (await openRelay(ctx, blockchainId))
  if (!row || !permissions || !relay) return
  const pass = { ctx, row, assets: await listAssets(ctx), permissions, relay, memory }
  await each(going, await nextWaiting(ctx, blockchainId, memory), (permission) =>
    permission.tx_id === null ? approveBySignature(pass, permission) : followTransaction(pass, permission),
  )
  const check = { checkedBefore, limit: CHECKED_AT_ONCE }
  await each(going, await listToCheck(ctx, blockchainId, check), (permission) => checkAgain(pass, permission))
}

/** The permissions after those of the former pass; from the first one again when there are no more. */
async function nextWaiting(ctx: Context, blockchainId: number, { followedTo }: FollowMemory): Promise<PermissionRow[]> {
  const next = await listWaiting(ctx, blockchainId, { afterId: followedTo.get(blockchainId) ?? 0n, limit: BATCH })
  const last = next.length < BATCH ? undefined : next.at(-1)
  followedTo.set(blockchainId, last?.id ?? 0n)
  return next
}

/** One that fails keeps none of the others; a node that does not answer now keeps all of them. @throws RetryableRpcError */
async function each(
  { attempt }: ContinueOnError,
  permissions: readonly PermissionRow[],
  work: (permission: PermissionRow) => Promise<void>,
): Promise<void> {
  for (const permission of permissions) {
    const silence = await attempt({ permissionId: String(permission.id) }, () =>
      work(permission).then(
        () => null,
        (error: unknown) => {
          if (error instanceof RetryableRpcError) return error
          throw error
        },
      ),
    )
    if (silence) throw silence
  }
}

/** Approves a permit or a delegation as soon as a node says that the chain would accept it. */
async function approveBySignature(pass: Pass, permission: PermissionRow): Promise<void> {
  const validity = await validityOf(pass, permission)
  const verb = validity === 'absent' ? 'expire' : 'approve'
  const { ctx } = pass
  await inTransaction(ctx, (tx) =>
    movePermission(tx, permission.id, verb, {
      checked_at: ctx.now(),
      approved_at: verb === 'approve' ? ctx.now() : null,
    }),
  )
}

/** Follows a transaction of a deposit address: it is broadcast once the address can pay for it, and counts once it is final. */
async function followTransaction(pass: Pass, permission: PermissionRow): Promise<void> {
  const { ctx } = pass
  if (permission.state === 'signed') {
    if (!(await mayLeave(pass, permission))) return release(pass, permission)
    if (!(await canPay(pass, permission))) return isOverdue(ctx, permission) ? release(pass, permission) : undefined
    if (await leavesGap(pass, permission)) return release(pass, permission)
    const moved = await inTransaction(ctx, (tx) => movePermission(tx, permission.id, 'broadcast'))
    if (moved) await broadcastOne(pass, moved)
    return
  }
  const { tx_id: txId, sequence, valid_until: validUntil, body, planned_height: plannedHeight } = permission
  if (txId === null || body === null) return
  const outcome = await pass.relay.outcome(`permission ${permission.id}`, {
    ...{ from: permission.permission.from, sinceHeight: Number(plannedHeight ?? 0n) },
    sequence: sequence === null ? null : BigInt(sequence),
    attempts: [{ txId, validUntil, body }],
  })
  if (outcome === null) {
    const isStuck = isOverdue(ctx, permission) && (await leavesGap(pass, permission))
    return isStuck ? expire(pass, permission) : broadcastOne(pass, permission)
  }
  const block = outcome.state === 'mined' ? outcome.block : outcome.proof.block
  const isUndone = outcome.state === 'impossible' || outcome.failure !== null
  // The approval that the chain reports counts, not the one that the transaction was to set.
  const isVoid = isUndone || (permission.kind === 'approve_tx' && (await validityOf(pass, permission)) !== 'given')
  const fee = outcome.state === 'mined' ? outcome.fee : null
  await decide(pass, permission, { block, state: outcome.state, isVoid, fee })
}

type Decision = {
  readonly block: {
    readonly height: number
    readonly hash: string
    readonly parentHash: string
    readonly minedAt: Date
  }
  readonly state: 'mined' | 'impossible'
  readonly isVoid: boolean
  /** What the transaction cost; null when it can never be mined. */
  readonly fee: bigint | null
}

/** Moves state and ledger together, once the block is final. An address whose gas is not booked yet waits for the next pass. */
async function decide({ ctx, row }: Pass, { id }: PermissionRow, decision: Decision): Promise<void> {
  const { block, state, isVoid, fee } = decision
  const isBooked = await inTransaction(ctx, async (tx) => {
    if (!(await isDecided(tx, row, { block, state }))) return true
    const mined = fee === null ? {} : { height: block.height, fee_units: fee }
    const verb = isVoid ? 'expire' : 'approve'
    const moved = await movePermission(tx, id, verb, {
      ...{ ...mined, checked_at: tx.now() },
      ...(isVoid ? {} : { approved_at: tx.now() }),
    })
    if (!moved) return true
    if (moved.kind === 'transfer_tx' && !isVoid) await movePermission(tx, id, 'use')
    if (fee === null || fee === 0n) return true
    const nth = moved.entries + 1
    const facts = await findFeeFacts(tx, { addressId: moved.address_id, blockchainId: row.id })
    await post(tx, [
      feeEntry(
        { addressId: moved.address_id, ...facts },
        { permissionId: id, units: fee, nth },
        { blockchainId: row.id, height: block.height },
      ),
    ])
    await updateEntries(tx, id, nth)
    return true
  }).catch((error: unknown) => {
    if (error instanceof Overdrawn) return false
    throw error
  })
  if (!isBooked) ctx.log.info({ permissionId: String(id) }, 'the fee of an approval waits for the gas of its address')
}

/** After this time Kassa no longer waits for gas, or for the transactions that must be mined before this one. */
const SIGNED_FOR_MS = 60 * 60_000

function isOverdue(ctx: Context, { created_at: signedAt }: PermissionRow): boolean {
  return ctx.now().getTime() - signedAt.getTime() >= SIGNED_FOR_MS
}

/** Releases the address to be asked again; this transaction is not broadcast. */
async function release({ ctx }: Pass, { id }: PermissionRow): Promise<void> {
  await inTransaction(ctx, (tx) => movePermission(tx, id, 'release'))
}

/** Expires the permission, so that the address is asked again. If it is mined after all, it grants what was asked for. */
async function expire({ ctx }: Pass, { id }: PermissionRow): Promise<void> {
  ctx.log.warn({ permissionId: String(id) }, 'a permission waits for transactions that its address never sent')
  await inTransaction(ctx, (tx) => movePermission(tx, id, 'expire'))
}

/** A transfer leaves only for the cold wallet that sweeps pay now: this one may be out of use since it was asked for. */
async function mayLeave({ ctx, row }: Pass, { kind, collector }: PermissionRow): Promise<boolean> {
  if (kind !== 'transfer_tx') return true
  return isPaid({ collector }, await findVault(ctx, { walletId: 0, subType: 'eoa', blockchainId: row.id }))
}

/** Whether the transaction's sequence is above the address's next one, so that blocks take it only after others. */
async function leavesGap({ relay, row }: Pass, { sequence, permission }: PermissionRow): Promise<boolean> {
  const sender = adapterOf(row.definition.family)?.sender
  if (sequence === null || !sender?.sequences) return false
  const { mined, pending } = await sender.sequences(relay.session, permission.from)
  return BigInt(sequence) > (pending > mined ? pending : mined)
}

/** Whether the address holds what its transaction may cost: its top-up is mined, or it had coins. */
async function canPay({ relay, row, assets }: Pass, permission: PermissionRow): Promise<boolean> {
  const coin = assets.find((one) => one.blockchainId === row.id && one.standard === 'native')
  const { from, value } = permission.permission
  const { balances, holdings } = adapterOf(row.definition.family) ?? {}
  const asks = coin ? [{ assetId: coin.id, address: from }] : []
  const facts = await balances?.read(relay.session, asks)
  const [held = 0n] = facts?.map(({ units }) => units) ?? (await holdings?.read(relay.session, asks)) ?? []
  return held >= BigInt(permission.max_fee ?? 0) + BigInt(value ?? 0)
}

async function broadcastOne({ ctx, relay, memory }: Pass, { id, tx_id: txId, raw }: PermissionRow): Promise<void> {
  const now = ctx.now().getTime()
  // A time in the future comes from a clock that was wrong.
  if (txId === null || raw === null || Math.abs(now - (memory.broadcastAt.get(id) ?? 0)) < REBROADCAST_MS) return
  memory.broadcastAt.set(id, now)
  await relay.broadcast({ txId, raw })
}

/** Checks a usable permission again: it may be used up, or its account may be delegated to another contract by now. */
async function checkAgain(pass: Pass, permission: PermissionRow): Promise<void> {
  const validity = await validityOf(pass, permission)
  await inTransaction(pass.ctx, async (tx) => {
    await updateChecked(tx, permission.id)
    const isOnChain = validity === 'given' && permission.kind !== 'approve_tx'
    if (isOnChain) await movePermission(tx, permission.id, 'use')
    if (validity === 'absent') await movePermission(tx, permission.id, 'expire')
  })
}

function validityOf({ permissions, relay, assets }: Pass, permission: PermissionRow): Promise<Validity> {
  const { vault, collector, asset_id: assetId, signature, permission: asked } = permission
  const asset = assets.find(({ id }) => id === assetId)
  const token = asset && asset.standard !== 'native' ? asset.address : null
  return permissions.validity(relay.session, { token, vault, collector }, { permission: asked, signature })
}
