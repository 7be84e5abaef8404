import type { BalanceReader, ChainReader, ChainSession } from '@kassa/chains/adapter.ts'

import type { Asset, BlockchainRow } from '../blockchains/chains/service.ts'

/** A blockchain whose addresses are compared with the ledger, and the node to read them from. */
export type Comparison = {
  readonly row: BlockchainRow
  readonly session: ChainSession
  readonly reader: Pick<ChainReader, 'blocks'>
  readonly balances: BalanceReader
  readonly assets: readonly Asset[]
}
