import type { ChainSession } from '@kassa/chains/adapter.ts'

import type { Context } from '../../context.ts'
import { adapterOf, findBlockchain, listAssets, openChain } from '../blockchains/service.ts'
import { knownAddresses } from './known-addresses.ts'
import { raiseEpoch } from './store.ts'
import { type Progress, takeTurn, type TurnResult, type Watch } from './turn.ts'

/** A reader that takes its turns when a test says so. */
export type TestReader = {
  readonly watch: Watch
  readonly chain: ChainSession
  readonly progress: Progress
  /** Takes turns until there is nothing to read, with this node or another. */
  readonly catchUp: (from?: ChainSession) => Promise<TurnResult>
}

/** Leads a blockchain under a new epoch; `over` changes what it looks for or how its node answers. */
export async function testReader(ctx: Context, code: string, over: Partial<Watch> = {}): Promise<TestReader> {
  const row = await findBlockchain(ctx, code)
  const chain = row && (await openChain(ctx, row.id))
  const adapter = row && adapterOf(row.definition.family)
  if (!row || !chain || !adapter) throw new Error('The chain cannot be opened')
  const own = (await listAssets(ctx)).filter(({ blockchainId }) => blockchainId === row.id)
  const watch: Watch = {
    ctx,
    row,
    reader: adapter.reader,
    known: knownAddresses(adapter.family),
    assets: new Set(own.map(({ id }) => id)),
    holder: 'test',
    ...over,
  }
  const progress: Progress = { cursor: await raiseEpoch(ctx, row.id, 'test'), span: 25, failedReads: 0 }
  const catchUp = async (from = chain) => {
    for (;;) {
      const result = await takeTurn(watch, from, progress)
      if (result.kind !== 'busy') return result
    }
  }
  return { watch, chain, progress, catchUp }
}
