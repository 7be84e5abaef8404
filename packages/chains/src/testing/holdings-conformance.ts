import type { ChainAdapter } from '../adapter.ts'
import type { FamilyChain } from './conformance.ts'
import { same } from './conformance-checks.ts'

/** What addresses hold now is in the order asked, and moves with every block. */
export const holdingsRule = {
  name: 'holdings are read in the order asked, as they are now',
  group: 'holdings' as const,
  async check(
    { holdings }: ChainAdapter,
    { assets: { native, token = native }, payer, ours, session, mine }: FamilyChain,
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
