import type { Address, ChainAdapter, ChainSession } from '../adapter.ts'
import { same } from './conformance-checks.ts'

type HeldChain = {
  readonly session: ChainSession
  readonly ours: readonly [Address, Address]
  readonly payer: Address
  readonly assets: { readonly native: number; readonly token?: number }
  mine(payments: readonly { assetId: number; from: Address; to: Address; units: bigint }[]): unknown
}

/** What addresses hold now is in the order asked, and moves with every block. */
export const holdingsRule = {
  name: 'holdings are read in the order asked, as they are now',
  group: 'holdings' as const,
  async check(
    { holdings }: ChainAdapter,
    { assets: { native, token = native }, payer, ours, session, mine }: HeldChain,
  ) {
    const [first, second] = ours
    const asks = [first, second].flatMap((address) => [token, native].map((assetId) => ({ assetId, address })))
    const before = (await holdings?.read(session, asks)) ?? []
    mine([
      { assetId: token, from: payer, to: second, units: 2n },
      { assetId: native, from: payer, to: second, units: 3n },
      { assetId: native, from: payer, to: first, units: 5n },
    ])
    const after = (await holdings?.read(session, asks)) ?? []
    same(after.map((units, at) => units - (before[at] ?? 0n)).join(), '0,5,2,3', 'the rises')
  },
}
