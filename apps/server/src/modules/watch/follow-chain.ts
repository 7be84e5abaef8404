import { randomBytes } from 'node:crypto'

import type { ChainAdapter, ChainContext } from '@kassa/chains/adapter.ts'

import type { Context } from '../../context.ts'
import { type BlockchainRow, distrustNode, listAssets, openChain } from '../blockchains/service.ts'
import type { KnownAddresses } from './known-addresses.ts'
import { retryOddBlocks } from './odd-blocks.ts'
import { backoffMs, pollEveryMs } from './rules.ts'
import { LostLeadership, raiseEpoch, updateState } from './store.ts'
import { type Progress, takeTurn, type Watch } from './turn.ts'

/** A node that operators added, removed or preferred is noticed after this long. */
const REOPEN_MS = 30_000

/** How often odd blocks are looked at; their own schedule is coarser. */
const ODD_BLOCKS_EVERY_MS = 30_000

/** Failures in a row before the chain is shown as behind: one slow answer is no news. */
const SHOWN_AFTER = 3

/** Blocks per transaction to begin with. */
const FIRST_SPAN = 25

/** Follows one blockchain as its leader until the signal aborts, another leader takes over, or a person is needed. */
export async function followChain(
  ctx: Context,
  { row, adapter, known }: { row: BlockchainRow; adapter: ChainAdapter; known: KnownAddresses },
  signal: AbortSignal,
): Promise<void> {
  const holder = `${process.pid}-${randomBytes(4).toString('hex')}`
  const assets = (await listAssets(ctx)).filter((asset) => asset.blockchainId === row.id)
  const watch: Watch = { ctx, row, reader: adapter.reader, known, assets: new Set(assets.map(({ id }) => id)), holder }
  const progress: Progress = { cursor: await raiseEpoch(ctx, row.id, holder), span: FIRST_SPAN, failedReads: 0 }
  if (progress.cursor?.state === 'halted') return
  const poll = pollEveryMs(row.definition.blockSeconds, ctx.config.network === 'sandbox')
  const connection = keepOpen(watch, signal)
  const oddBlocks = oddBlockRound(watch)
  let failures = 0
  while (!signal.aborted) {
    try {
      const chain = await connection.open()
      const result = await takeTurn(watch, chain, progress)
      if (result.kind === 'halted') return await halt(watch, progress, result.reason)
      failures = 0
      if (progress.cursor) await oddBlocks(chain, progress.cursor)
      if (result.kind === 'idle') await ctx.sleep(poll, signal)
    } catch (error) {
      if (signal.aborted || error instanceof LostLeadership) return
      failures += 1
      if (!isFromDatabase(error)) connection.fail()
      await noteFailure(watch, progress, failures, error)
      await ctx.sleep(backoffMs(failures), signal)
    }
  }
}

/**
 * Whether PostgreSQL refused, which says nothing against the node: two chains that settle for the same customers at once may
 * have to wait for each other in a circle, one is sent back, and its turn is taken again.
 */
function isFromDatabase(error: unknown): boolean {
  return error instanceof Error && 'severity' in error
}

type Connection = { readonly open: () => Promise<ChainContext>; readonly fail: () => void }

/** Keeps one node between turns; after a failure, and now and then, chooses again. */
function keepOpen({ ctx, row }: Watch, signal: AbortSignal): Connection {
  let opened: { chain: ChainContext; at: number } | undefined
  return {
    open: async () => {
      const now = ctx.now().getTime()
      if (opened && Math.abs(now - opened.at) < REOPEN_MS) return opened.chain
      const chain = await openChain(ctx, row.id, signal)
      if (!chain) throw new Error('Add a node.')
      opened = { chain, at: now }
      return chain
    },
    fail: () => {
      if (opened) distrustNode(opened.chain.node)
      opened = undefined
    },
  }
}

/** Tries the odd blocks: all of them at the start, later those that are due. */
function oddBlockRound({ ctx, reader, assets, known }: Watch) {
  let lastAt: number | undefined
  return async (chain: ChainContext, cursor: NonNullable<Progress['cursor']>) => {
    const now = ctx.now().getTime()
    if (lastAt !== undefined && Math.abs(now - lastAt) < ODD_BLOCKS_EVERY_MS) return
    const all = lastAt === undefined
    lastAt = now
    const want = { assets, matches: known.filter.has }
    await retryOddBlocks(ctx, chain, cursor, { reader, want, familyId: known.familyId, all })
  }
}

async function halt({ ctx, row }: Watch, { cursor }: Progress, reason: string): Promise<void> {
  ctx.log.error({ blockchain: row.code, reason }, 'reading is halted until a person looks')
  if (cursor) await updateState(ctx, cursor, { state: 'halted', reason })
}

async function noteFailure({ ctx, row }: Watch, progress: Progress, failures: number, error: unknown): Promise<void> {
  ctx.log.warn({ blockchain: row.code, failures, err: error }, 'a turn failed')
  if (failures !== SHOWN_AFTER || !progress.cursor) return
  const reason = error instanceof Error ? error.message : String(error)
  await updateState(ctx, progress.cursor, { state: 'behind', reason })
    .then(() => (progress.cursor = progress.cursor && { ...progress.cursor, state: 'behind' }))
    .catch((failure: unknown) => ctx.log.warn({ err: failure }, 'the reason could not be stored'))
}
