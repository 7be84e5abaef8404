import type { ChainSession } from '@kassa/chains/adapter.ts'
import { describe, expect, it } from 'vitest'

import type { Signer } from './hot-key.ts'
import { sequencesOf } from './sequences.ts'

type Answer = { readonly mined: bigint; readonly pending: bigint } | Error

/** Asks one node or two, which say these. */
function ask(one: Answer, other?: Answer) {
  const [first, second] = [{ said: one }, other && { said: other }]
  const session = { ...first, another: async () => second ?? null } as unknown as ChainSession
  const sequences = async (of: unknown) => {
    const { said } = of as { said: Answer }
    if (said instanceof Error) throw said
    return said
  }
  return sequencesOf({ sender: { sequences } as unknown as Signer['sender'], key: { address: '0x01' } }, session)
}

const honest = { mined: 5n, pending: 7n }

describe('sends.sequencesOf', () => {
  it('gives out no place that is taken, and locks for nothing that one node alone says', async () => {
    // One lags, one is ahead of the truth: places are given out above both, and a wallet is judged by what both know.
    expect(await ask({ mined: 3n, pending: 3n }, honest)).toEqual({ ...honest, agreed: { mined: 3n, pending: 3n } })
    expect(await ask({ mined: 255n, pending: 255n }, honest)).toEqual({ mined: 255n, pending: 255n, agreed: honest })
  })

  it('goes by one node where the other says nothing, or there is none', async () => {
    expect(await ask(honest, new Error('down'))).toEqual({ ...honest, agreed: honest })
    expect(await ask(honest)).toEqual({ ...honest, agreed: honest })
  })
})
