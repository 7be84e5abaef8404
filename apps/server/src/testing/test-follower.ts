import type { ChainSession } from '@kassa/chains/adapter.ts'
import type { Context } from '../context.ts'
import { adapterOf, findBlockchain, listAssets } from '../modules/blockchains/chains/service.ts'
import { openSession } from '../modules/blockchains/nodes/service.ts'
import { knownAddresses } from '../modules/watch/matching/known-addresses.ts'
import { raiseEpoch } from '../modules/watch/blocks/cursor-store.ts'
import type { FollowerState, Follower } from '../modules/watch/follow/service.ts'
import { pollChain, type PollResult } from '../modules/watch/follow/poll-chain.ts'

/** A follower that polls when a test calls it. */
export type TestReader = {
  readonly follower: Follower
  readonly session: ChainSession
  readonly progress: FollowerState
  /** Polls until there is nothing to read, with this node or another. */
  readonly catchUp: (from?: ChainSession) => Promise<PollResult>
  /** Leads again, from where another one came to. */
  readonly lead: () => Promise<void>
}

/** Leads a blockchain under a new epoch; `over` changes what it looks for or how its node answers. */
export async function testReader(ctx: Context, code: string, over: Partial<Follower> = {}): Promise<TestReader> {
  const row = await findBlockchain(ctx, code)
  const session = row && (await openSession(ctx, row.id))
  const adapter = row && adapterOf(row.definition.family)
  if (!row || !session || !adapter) throw new Error('The chain cannot be opened')
  const own = (await listAssets(ctx)).filter(({ blockchainId }) => blockchainId === row.id)
  const follower: Follower = {
    ctx,
    row,
    adapter,
    known: knownAddresses(adapter.family),
    assets: new Set(own.map(({ id }) => id)),
    holder: 'test',
    ...over,
  }
  const progress: FollowerState = { cursor: await raiseEpoch(ctx, row.id, 'test'), span: 25, failedReads: 0 }
  const catchUp = async (from = session) => {
    for (;;) {
      const result = await pollChain(follower, from, progress)
      if (result.kind !== 'busy') return result
    }
  }
  const lead = async () => {
    progress.cursor = await raiseEpoch(ctx, row.id, 'test')
  }
  return { follower, session, progress, catchUp, lead }
}
