import type { ChainSession, Sequences } from '@kassa/chains/adapter.ts'

import type { Signer } from './hot-key.ts'

/** The next sequence on the chain, by one node or two: the highest that any of them names, and the lowest. */
export type SeenSequences = Sequences & { readonly agreed: Sequences }

/**
 * Reads the next sequence of a wallet from nodes of two operators, where there are two: a node that lags must not make us use a
 * sequence again, and one that lies must neither lock a wallet nor make us skip sequences. Null in families without sequences.
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
