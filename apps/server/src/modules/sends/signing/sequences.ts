import type { ChainSession, Sequences } from '@kassa/chains/adapter.ts'

import type { Signer } from './hot-key.ts'

/**
 * Reads where a chain is with the transactions of a wallet: the higher of what two nodes say, because one that lags, or lies,
 * must not give a place out that is taken. Null in families that have no such order.
 */
export async function sequencesOf({ sender, key }: Signer, session: ChainSession): Promise<Sequences | null> {
  if (!sender.sequences) return null
  const first = await sender.sequences(session, key.address)
  const other = await session.another()
  const second = other && (await sender.sequences(other, key.address).catch(() => null))
  if (!second) return first
  return { mined: larger(first.mined, second.mined), pending: larger(first.pending, second.pending) }
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
