import type { ChainSession, Sequences } from '@kassa/chains/adapter.ts'

import type { Signer } from './hot-key.ts'

/** Where a chain is, by one node or two: as far as any says, so that no place is given out that is taken, and as far as all say. */
export type SeenSequences = Sequences & { readonly agreed: Sequences }

/**
 * Reads where a chain is with the transactions of a wallet from two nodes of different operators, where there are: one that
 * lags must not give a place out that is taken, and one that lies must neither lock a wallet nor leave places out. Null in
 * families that have no such order.
 */
export async function sequencesOf(
  { sender, key }: Pick<Signer, 'sender'> & { readonly key: Pick<Signer['key'], 'address'> },
  session: ChainSession,
  other?: ChainSession | null,
): Promise<SeenSequences | null> {
  if (!sender.sequences) return null
  const first = await sender.sequences(session, key.address)
  const next = other === undefined ? await session.another() : other
  const second = next && (await sender.sequences(next, key.address).catch(() => null))
  if (!second) return { ...first, agreed: first }
  const both = (choose: (one: bigint, two: bigint) => bigint): Sequences => ({
    mined: choose(first.mined, second.mined),
    pending: choose(first.pending, second.pending),
  })
  return { ...both(larger), agreed: both(smaller) }
}

function larger(one: bigint, two: bigint): bigint {
  return one > two ? one : two
}

function smaller(one: bigint, two: bigint): bigint {
  return one < two ? one : two
}
