import type { BalanceReader, ChainSession } from '@kassa/chains/adapter.ts'
import type { Context } from '../../../context.ts'
import { adapterOf, type Asset, type BlockchainRow, listAssets } from '../../blockchains/chains/service.ts'
import { hasSecondOperator, openSession } from '../../blockchains/nodes/service.ts'

/** The nodes that balances of a blockchain's own coin are read from. */
export type BalanceSource = {
  readonly session: ChainSession
  readonly balances: BalanceReader
  readonly native: Asset
  /** A node of another operator; `alone` when there is none, null when none is usable now. */
  readonly second: () => Promise<ChainSession | 'alone' | null>
}

/**
 * Opens a blockchain to read balances; null when it has no node, its native coin is not accepted, or its family has no balances
 * to read.
 */
export async function balanceSource(
  ctx: Context,
  row: BlockchainRow,
  signal: AbortSignal,
): Promise<BalanceSource | null> {
  const balances = adapterOf(row.definition.family)?.balances
  const native = (await listAssets(ctx)).find(
    ({ blockchainId, standard }) => blockchainId === row.id && standard === 'native',
  )
  const session = balances && native && (await openSession(ctx, row.id, signal, 'audit'))
  if (!session) return null
  const second = async () => {
    if (!(await hasSecondOperator(ctx, row.id))) return 'alone'
    return session.another().catch(() => null)
  }
  return { session, balances, native, second }
}
