import type { SweepCause } from '@kassa/contract/sweeps/reasons.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { type Asset, getAsset } from '../../blockchains/chains/service.ts'
import { Overdrawn } from '../../ledger/service.ts'
import { startSend, type StartedSend } from '../../sends/service.ts'
import { findHotWallet } from '../../wallets/hot/service.ts'
import {
  authorizationsIn,
  callOf,
  type Candidate,
  coinOf,
  gasPriceOf,
  gasPriceText,
  isNodesFault,
  type Place,
  quoteBatch,
  type Quoted,
  readyPermissions,
  ridersOf,
  sessionOf,
  sourceOfSweep,
  sweepChainOf,
  termsOf,
} from '../planner/service.ts'
import { hintSweep } from '../record/announce.ts'
import {
  cancelSweep,
  failItems,
  initiateSweep,
  type ItemRow,
  noteError,
  openOf,
  type SweepRow,
} from '../record/service.ts'
import { findSweep, listItems, lockSweep, updateSweep, updateWait } from '../record/store.ts'
import { AGAIN_MS, waitOf } from './rules.ts'
import { isFirstOf } from './store.ts'

/** The result of trying to sign a sweep; `gone`: another process moved it, or no address of it is left. */
export type Signing = { readonly kind: 'signed' | 'gone' } | { readonly kind: 'waits'; readonly wait: SweepCause }

type Item = Candidate & { readonly item: ItemRow }

/**
 * Signs one planned sweep, or says why it waits. It asks a node once more about exactly these addresses (S-9), leaves out what
 * would not move, and signs nothing that would be a loss at its ceiling (S-6). Harmless to repeat, because a sweep is in one
 * send.
 */
export async function signSweep(ctx: Context, id: bigint): Promise<Signing> {
  const row = await findSweep(ctx, id)
  if (row?.status !== 'planned' || row.sent_by !== 'hot-wallet') return { kind: 'gone' }
  const asset = await getAsset(ctx, row.asset_id)
  const hot = await findHotWallet(ctx, { blockchainId: row.blockchain_id, purpose: 'gas' })
  if (!hot) return wait(ctx, row, { code: 'HOT_WALLET_MISSING', params: { chain: asset.blockchainCode } })
  const place = await preparePlace(ctx, row, { asset, payer: hot.address })
  if ('wait' in place) return wait(ctx, row, place.wait)
  try {
    const looked = await quoteAgain(ctx, row, place)
    if ('wait' in looked) return await wait(ctx, row, looked.wait)
    if ('gone' in looked) return { kind: 'gone' }
    return await send(ctx, row, { ...looked, place, walletId: hot.walletId, address: hot.address })
  } catch (error) {
    if (error instanceof Overdrawn) return abandon(ctx, id, { code: 'DEPOSIT_GONE', params: {} })
    if (!isNodesFault(error)) throw error
    ctx.log.warn({ err: error, sweepId: String(id) }, 'a node did not say what a sweep costs')
    return wait(ctx, row, { code: 'NODE_CONNECTION_FAILED', params: { chain: asset.blockchainCode } })
  }
}

/** The contract of a sweep and a node of its chain, or why nothing can be signed now. */
async function preparePlace(
  ctx: Context,
  row: SweepRow,
  { asset, payer }: { readonly asset: Asset; readonly payer: string },
): Promise<Place | { readonly wait: SweepCause }> {
  const chain = await sweepChainOf(ctx, asset)
  const source = await sourceOfSweep(ctx, row, chain)
  if ('wait' in source) return source
  const session = await sessionOf(ctx, row.blockchain_id)
  if (!session) return { wait: { code: 'NODE_CONNECTION_FAILED', params: { chain: asset.blockchainCode } } }
  const riders = row.method === 'sweep' ? undefined : await ridersWith(ctx, row)
  return { ...chain, session, vault: row.vault, asset, method: row.method, payer, ...(riders && { riders }) }
}

/** The signatures of a sweep's addresses for its contract that the chain does not hold yet. */
async function ridersWith(ctx: Context, { id, vault, blockchain_id: blockchainId, asset_id: assetId }: SweepRow) {
  const addressIds = openOf(await listItems(ctx, [id])).map(({ address_id }) => address_id)
  return ridersOf(await readyPermissions(ctx, { blockchainId, assetId, addressIds, vault }))
}

type QuotedAgain = {
  readonly quoted: Quoted<Item>
  readonly ceiling: bigint
}

/** Quotes a sweep again, after taking out the addresses whose token refuses the transfer. */
async function quoteAgain(
  ctx: Context,
  row: SweepRow,
  place: Place,
): Promise<QuotedAgain | { readonly wait: SweepCause } | { readonly gone: true }> {
  const items = openOf(await listItems(ctx, [row.id])).map((item): Item => itemOf(item, row))
  const found = await termsOf(ctx, place.asset, { method: row.method, gasPrice: await gasPriceOf(ctx, place) })
  if ('wait' in found) return found
  // A sweep is signed as it was planned, except for addresses whose token refuses: its plan has decided which addresses are
  // worth it, so limits of size and value do not apply again.
  const terms = { ...found.terms, minBalance: null, maxItems: items.length }
  const quote = await quoteBatch(place, items, {
    terms,
    itemOf: ({ item, units }) => ({ id: BigInt(item.item_id), units }),
  })
  // The contract's owner has set another collector since the sweep was planned, so its planner has not seen this one.
  if (quote.collector !== row.collector) {
    await abandon(ctx, row.id, { code: 'COLD_WALLET_MISSING', params: { chain: place.row.code } })
    return { gone: true }
  }
  if (quote.refused.length > 0 && !(await leaveOut(ctx, row.id, quote.refused))) return { gone: true }
  const { quoted } = quote
  if (!quoted || quote.tooDear.length > 0 || quoted.ceiling === null) return { wait: gasTooHigh(place, quote) }
  return { quoted, ceiling: quoted.ceiling }
}

function itemOf(item: ItemRow, { created_at }: SweepRow): Item {
  const units = BigInt(item.units)
  return { addressId: item.address_id, units, since: created_at, isFirst: false, blocked: null, item }
}

/** The wait while gas is too expensive: its price now, and the highest price at which this sweep pays off. */
function gasTooHigh(
  { row }: Place,
  { gasPrice, quoted }: { readonly gasPrice: bigint; readonly quoted: Quoted<Item> | null },
): SweepCause {
  const allowed = quoted && quoted.gasLimit > 0n ? quoted.affordable / quoted.gasLimit : 0n
  const current = gasPriceText(row.code, gasPrice)
  const params = {
    ...{ chain: row.code, current: current.amount, unit: current.unit },
    allowed: gasPriceText(row.code, allowed).amount,
  }
  return { code: 'GAS_TOO_HIGH', params }
}

/** Takes out the addresses whose token refuses the transfer; cancels the sweep and returns false when no address is left. */
async function leaveOut(
  ctx: Context,
  id: bigint,
  refused: readonly { readonly candidate: Item; readonly reason: string }[],
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockSweep(tx, id)
    if (row?.status !== 'planned') return false
    const reasons = new Map(refused.map(({ candidate, reason }) => [candidate.addressId, reason]))
    const messageOf = (item: ItemRow) => reasons.get(item.address_id) ?? ''
    await failItems(
      tx,
      row,
      refused.map(({ candidate }) => candidate.item),
      messageOf,
    )
    const left = openOf(await listItems(tx, [id]))
    const units = left.reduce((sum, item) => sum + BigInt(item.units), 0n)
    hintSweep(tx, id)
    if (left.length === 0) {
      await cancelSweep(tx, row, null)
      return false
    }
    await updateSweep(tx, id, { units })
    return true
  })
}

type Ready = QuotedAgain & { readonly place: Place; readonly walletId: number; readonly address: string }

async function send(ctx: Context, row: SweepRow, ready: Ready): Promise<Signing> {
  const { quoted, ceiling, place, walletId, address } = ready
  const items = quoted.batch.items.map(({ item, units }) => ({ id: BigInt(item.item_id), units }))
  const { to, data } = place.vaults.call(row.vault, callOf(place, items))
  const authorizations = authorizationsIn(place.riders ?? new Map(), items)
  const result = await startSend(ctx, {
    walletId,
    blockchainId: row.blockchain_id,
    purpose: 'sweep',
    // The money may belong to several projects, so the install pays the fee.
    projectId: null,
    intent: { kind: 'call', to, data, units: 0n, leastGas: quoted.gasLimit, authorizations },
    maxFee: ceiling,
    item: { sweepId: row.id },
    within: (tx, started) => initiate(tx, row, { started, ready, data }),
  })
  if (result.kind === 'started') return { kind: 'signed' }
  if (result.kind === 'declined') return { kind: 'gone' }
  if (result.kind === 'refused') {
    const reason = result.why.code === 'would_fail' ? result.why.reason : 'it needs more gas than a block has'
    return wait(ctx, row, { code: 'WOULD_FAIL', params: { reason } })
  }
  const coin = await coinOf(ctx, place.asset)
  const isFirst = row.method === 'sweep' && (await isFirstOf(ctx, row))
  return wait(ctx, row, waitOf(result.why, { chain: place.row.code, coin, address, ceiling, isFirst }))
}

type Initiating = { readonly started: StartedSend; readonly ready: Ready; readonly data: string }

/** Runs in the transaction of the signature and initiates exactly what was quoted. When it returns false, nothing is signed. */
async function initiate(tx: Context, before: SweepRow, { started, ready, data }: Initiating): Promise<boolean> {
  const row = await lockSweep(tx, before.id)
  if (row?.status !== 'planned' || row.collector !== before.collector || row.vault !== before.vault) return false
  const open = openOf(await listItems(tx, [row.id]))
  const quoted = new Set(ready.quoted.batch.items.map(({ addressId }) => addressId))
  if (open.length !== quoted.size || open.some((item) => !quoted.has(item.address_id))) return false
  // Operators may have objected while a node was asked. The sweep stays planned, and the next attempt says why it waits.
  if ('wait' in (await sourceOfSweep(tx, row, ready.place))) return false
  const moved = await initiateSweep(tx, row.id, {
    send_id: started.sendId,
    hot_wallet_id: ready.walletId,
    max_fee: started.feeCeiling,
    call_data: data,
    tx_id: started.txId,
    units: ready.quoted.batch.units,
    amount_usd: usd(ready.quoted.batch.usd),
    expires_at: null,
  })
  if (moved) hintSweep(tx, row.id)
  return moved !== undefined
}

/** Stores why a sweep waits, and when it is tried again. */
async function wait(ctx: Context, { id }: SweepRow, cause: SweepCause): Promise<Signing> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockSweep(tx, id)
    if (row?.status !== 'planned') return
    const dueAt = new Date(tx.now().getTime() + AGAIN_MS[tx.config.network])
    if (!(await updateWait(tx, id, cause, dueAt))) return
    await noteError(tx, row, cause)
    hintSweep(tx, id)
  })
  return { kind: 'waits', wait: cause }
}

async function abandon(ctx: Context, id: bigint, cause: SweepCause): Promise<Signing> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockSweep(tx, id)
    if (row?.status === 'planned') await cancelSweep(tx, row, cause)
  })
  return { kind: 'gone' }
}
