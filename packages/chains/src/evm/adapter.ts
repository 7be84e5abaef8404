import type { ChainAdapter } from '../adapter.ts'
import { evmAddresses } from './addresses.ts'
import { readArrived, readBalances } from './balances.ts'
import { readBlocks } from './blocks.ts'
import { readContracts } from './contracts.ts'
import { evmDeposits } from './deposits.ts'
import { identify, readHeads } from './heads.ts'
import { salvageBlock } from './salvage.ts'
import { readTransactionFacts } from './transaction.ts'
import { evmUris } from './uris.ts'

/** Chains that speak Ethereum's JSON-RPC (https://ethereum.github.io/execution-apis). */
export const evmAdapter: ChainAdapter = {
  family: 'ETH_Family',
  addresses: evmAddresses,
  deposits: evmDeposits,
  uris: evmUris,
  reader: {
    identify,
    heads: readHeads,
    blocks: readBlocks,
    salvage: salvageBlock,
    transaction: readTransactionFacts,
    balances: readBalances,
    contracts: readContracts,
    arrived: readArrived,
  },
}
