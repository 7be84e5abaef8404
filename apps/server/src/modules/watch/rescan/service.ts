/** Rescans: blocks or transactions that are read again, because an operator, an audit or a discrepancy asks for it. */
import type { Context } from '../../../context.ts'
import { hasSecondOperator } from '../../blockchains/nodes/service.ts'
import { listBlockchains, type RescanRequest } from '../../blockchains/chains/service.ts'
import type { TransactionRequest } from '../../payments/diagnosis/service.ts'
import { insertRescan, type Rescan, takeRescan } from './store.ts'
import { requestRescan, runRescan } from './rescan-range.ts'
import { findCursor } from '../blocks/cursor-store.ts'

export type { Rescan } from './store.ts'
export { requestRescan } from './rescan-range.ts'
export { findRescan as rescanById } from './store.ts'

/** How long one worker works on rescans before it checks for other work, and whether it should stop. */
const SLICE_MS = 20_000

/** Requests a rescan of one transaction, by any worker. Returns its record. */
export async function requestTransactionRescan(ctx: Context, request: TransactionRequest): Promise<Rescan> {
  const rescan = await insertRescan(ctx, { ...request, range: null })
  if (!rescan) throw new Error('A rescan was not written')
  return rescan
}

/** Reads one transaction again, now; a worker retries it later when its node fails now. */
export async function takeRescanRequest(ctx: Context, request: TransactionRequest): Promise<void> {
  const { id } = await requestTransactionRescan(ctx, request)
  const taken = await takeRescan(ctx, id)
  if (!taken) return
  // The record stays open for `continueRescans`; a repeated job would insert a second one.
  await runRescan(ctx, taken, AbortSignal.timeout(SLICE_MS)).catch((error: unknown) =>
    ctx.log.warn({ rescan: id, err: error }, 'a rescan continues later'),
  )
}

/**
 * Requests a rescan from a height up to the follower's position, by any worker, for a changed blockchain (api.md B3).
 */
export async function takeHeightRequest(ctx: Context, { blockchainId, fromHeight, by }: RescanRequest): Promise<void> {
  const cursor = await findCursor(ctx, blockchainId)
  if (!cursor || fromHeight > cursor.height) return
  await requestRescan(ctx, { blockchainId, from: fromHeight, to: cursor.height, reason: 'asked for by height', by })
}

/** Continues rescans that no process works on, for a short time. */
export async function continueRescans(ctx: Context): Promise<void> {
  const signal = AbortSignal.timeout(SLICE_MS)
  while (!signal.aborted) {
    const rescan = await takeRescan(ctx)
    if (!rescan) return
    await runRescan(ctx, rescan, signal)
  }
}

const DAY_SECONDS = 86_400

/**
 * Requests once a day a rescan of the last 24 hours of every blockchain through another node, for the addresses with a payment
 * in that time: it finds what the follower's node left out (money.md W-9). A blockchain with nodes of one operator alone has
 * none to compare with.
 */
export async function startAudits(ctx: Context): Promise<void> {
  const auditDay = ctx.now().toISOString().slice(0, 10)
  for (const { id: blockchainId, status, definition } of await listBlockchains(ctx)) {
    const cursor = status === 'active' ? await findCursor(ctx, blockchainId) : undefined
    if (!cursor || !(await hasSecondOperator(ctx, blockchainId))) continue
    const from = Math.max(0, cursor.height - Math.ceil(DAY_SECONDS / definition.blockSeconds))
    const range = { from, to: cursor.height }
    await insertRescan(ctx, { blockchainId, range, txId: null, reason: 'audit', by: 'system', auditDay })
  }
}
