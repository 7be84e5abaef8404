import type { ChainSession, ChainReader } from '@kassa/chains/adapter.ts'
import type { Context } from '../../../context.ts'
import { adapterOf, type Asset, type BlockchainRow, listAssets } from '../../blockchains/chains/service.ts'
import { hasSecondOperator, openChain, openAnother } from '../../blockchains/nodes/service.ts'

/** Where balances of a blockchain's coin are asked for. */
export type BalanceSource = {
  readonly chain: ChainSession
  readonly reader: Pick<ChainReader, 'balances'>
  readonly native: Asset
  /** A node of another operator; `alone` when there is none, null when none can be asked now. */
  readonly second: () => Promise<ChainSession | 'alone' | null>
}

/** Opens a blockchain to ask for balances; null when it has no node, or no coin that is accepted. */
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
