import type { ChainSession, ChainReader } from '@kassa/chains/adapter.ts'

import type { Asset, BlockchainRow } from '../blockchains/chains/service.ts'

/** A blockchain whose addresses are compared with the books, and whom to ask. */
export type Comparison = {
  readonly row: BlockchainRow
  readonly chain: ChainSession
  readonly reader: Pick<ChainReader, 'balances' | 'blocks'>
  readonly assets: readonly Asset[]
}
