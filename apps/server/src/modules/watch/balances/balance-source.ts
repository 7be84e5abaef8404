import type { ChainSession, ChainReader } from '@kassa/chains/adapter.ts'
import type { Context } from '../../../context.ts'
import { adapterOf, type Asset, type BlockchainRow, listAssets } from '../../blockchains/chains/service.ts'
import { hasSecondOperator, openChain, openAnother } from '../../blockchains/nodes/service.ts'

/** The nodes that balances of a blockchain's own coin are read from. */
export type BalanceSource = {
  readonly chain: ChainSession
  readonly reader: Pick<ChainReader, 'balances'>
  readonly native: Asset
  /** A node of another operator; `alone` when there is none, null when none is usable now. */
  readonly second: () => Promise<ChainSession | 'alone' | null>
}

/** Opens a blockchain to read balances; null when it has no node, or its own coin is not accepted. */
export async function balanceSource(
  ctx: Context,
  row: BlockchainRow,
  signal: AbortSignal,
): Promise<BalanceSource | null> {
  const adapter = adapterOf(row.definition.family)
  const native = (await listAssets(ctx)).find(
    ({ blockchainId, standard }) => blockchainId === row.id && standard === 'native',
  )
  const chain = adapter && native && (await openChain(ctx, row.id, signal, 'audit'))
  if (!chain) return null
  const second = async () => {
    if (!(await hasSecondOperator(ctx, row.id))) return 'alone'
    return openAnother(ctx, row.id, chain.node.id, signal, 'audit').catch(() => null)
  }
  return { chain, reader: adapter.reader, native, second }
}
