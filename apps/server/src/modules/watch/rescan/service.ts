/** Rescans: blocks or transactions that are read again, because an operator, an audit or a discrepancy asks for it. */
import type { Context } from '../../../context.ts'
import { hasSecondOperator } from '../../blockchains/nodes/service.ts'
import { listBlockchains } from '../../blockchains/chains/service.ts'
import { insertRescan, type Rescan, takeRescan } from './store.ts'
import { requestRescan, runRescan } from './rescan-range.ts'
import { findCursor } from '../blocks/cursor-store.ts'

export type { Rescan } from './store.ts'
export { requestRescan } from './rescan-range.ts'
export { findRescan as rescanById } from './store.ts'

/** A rescan without a sign of life for this long is taken over; a step with its rest is shorter. */
const IDLE_MS = 25_000

/** How long one worker works on rescans before it looks at other things, such as whether it should stop. */
const TURN_MS = 20_000

/** What payments ask for when somebody names a transaction (api.md Y9, Y25). */
export type TransactionRequest = {
  readonly blockchainId: number
  readonly txId: string
  readonly reason: string
  readonly by: string
}

/** Asks for one transaction to be read again, by any worker. Returns the record of it. */
export async function requestTransactionRescan(ctx: Context, request: TransactionRequest): Promise<Rescan> {
  const rescan = await insertRescan(ctx, { ...request, range: null })
  if (!rescan) throw new Error('A rescan was not written')
  return rescan
}

/** Reads one transaction again, now, and later when its node fails now. */
export async function takeRescanRequest(ctx: Context, request: TransactionRequest): Promise<void> {
  const { id } = await requestTransactionRescan(ctx, request)
  const taken = await takeRescan(ctx, idleSince(ctx), id)
  if (!taken) return
  // The record stays open for `continueRescans`: a job that was tried again would ask for one more.
  await runRescan(ctx, taken, AbortSignal.timeout(TURN_MS)).catch((error: unknown) =>
    ctx.log.warn({ rescan: id, err: error }, 'a rescan goes on later'),
  )
}

/** What changing a blockchain asks for (api.md B3). */
export type HeightRequest = { readonly blockchainId: number; readonly fromHeight: number; readonly by: string }

/** Has everything from a height up to where the reader is read again, by any worker. */
export async function takeHeightRequest(ctx: Context, { blockchainId, fromHeight, by }: HeightRequest): Promise<void> {
  const cursor = await findCursor(ctx, blockchainId)
  if (!cursor || fromHeight > cursor.height) return
  await requestRescan(ctx, { blockchainId, from: fromHeight, to: cursor.height, reason: 'asked for by height', by })
}

/** Goes on with rescans that nobody works on, for a little while. */
export async function continueRescans(ctx: Context): Promise<void> {
  const signal = AbortSignal.timeout(TURN_MS)
  while (!signal.aborted) {
    const rescan = await takeRescan(ctx, idleSince(ctx))
    if (!rescan) return
    await runRescan(ctx, rescan, signal)
  }
}

const DAY_SECONDS = 86_400

/**
 * Has the last 24 hours of every blockchain read again by another node, once a day, for the addresses with a payment in that
 * time (W-9). A blockchain with one source has nobody to compare with.
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

function idleSince(ctx: Context): Date {
  return new Date(ctx.now().getTime() - IDLE_MS)
}
