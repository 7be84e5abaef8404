import type { BalanceAsk, ChainSession } from '@kassa/chains/adapter.ts'

import { adapterOf } from '../chains/service.ts'

/**
 * Reads what addresses hold now, in units and in the order given; null where the family's nodes cannot tell. Call it outside of
 * transactions. @throws the node's failure
 */
export async function readHeldNow(session: ChainSession, asks: readonly BalanceAsk[]): Promise<bigint[] | null> {
  const { balances, holdings } = adapterOf(session.chain.blockchain.family) ?? {}
  if (balances) return (await balances.read(session, asks)).map(({ units }) => units)
  return (await holdings?.read(session, asks)) ?? null
}
