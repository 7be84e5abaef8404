import type { ChainSession } from '@kassa/chains/adapter.ts'
import type { Context } from '../context.ts'
import { adapterOf, findBlockchain, listAssets } from '../modules/blockchains/chains/service.ts'
import { openChain } from '../modules/blockchains/nodes/service.ts'
import { knownAddresses } from '../modules/watch/matching/known-addresses.ts'
import { raiseEpoch } from '../modules/watch/blocks/cursor-store.ts'
import type { FollowerState, Follower } from '../modules/watch/follow/service.ts'
import { pollChain, type PollResult } from '../modules/watch/follow/poll-chain.ts'

/** A reader that takes its turns when a test says so. */
export type TestReader = {
  readonly watch: Follower
  readonly chain: ChainSession
  readonly progress: FollowerState
  /** Takes turns until there is nothing to read, with this node or another. */
  readonly catchUp: (from?: ChainSession) => Promise<PollResult>
}

/** Leads a blockchain under a new epoch; `over` changes what it looks for or how its node answers. */
export async function testReader(ctx: Context, code: string, over: Partial<Follower> = {}): Promise<TestReader> {
  const row = await findBlockchain(ctx, code)
  const chain = row && (await openChain(ctx, row.id))
  const adapter = row && adapterOf(row.definition.family)
  if (!row || !chain || !adapter) throw new Error('The chain cannot be opened')
  const own = (await listAssets(ctx)).filter(({ blockchainId }) => blockchainId === row.id)
  const watch: Follower = {
    ctx,
    row,
    reader: adapter.reader,
    known: knownAddresses(adapter.family),
    assets: new Set(own.map(({ id }) => id)),
    holder: 'test',
    ...over,
  }
  const progress: FollowerState = { cursor: await raiseEpoch(ctx, row.id, 'test'), span: 25, failedReads: 0 }
  const catchUp = async (from = chain) => {
    for (;;) {
      const result = await pollChain(watch, from, progress)
      if (result.kind !== 'busy') return result
    }
  }
  return { watch, chain, progress, catchUp }
}
