import type { ChainAdapter } from '../adapter.ts'
import { evmAddresses } from './addresses/addresses.ts'
import { readReceivedUnits, readBalances } from './state/balances.ts'
import { readBlocks } from './blocks/blocks.ts'
import { readContracts } from './state/contracts.ts'
import { evmDeposits } from './addresses/derivation.ts'
import { identify, readHeads } from './network/heads.ts'
import { readPartialBlock } from './blocks/partial-block.ts'
import { readTransactionFacts } from './blocks/transaction.ts'
import { evmUris } from './addresses/payment-uris.ts'

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
    readPartial: readPartialBlock,
    transaction: readTransactionFacts,
    balances: readBalances,
    contracts: readContracts,
    receivedUnits: readReceivedUnits,
  },
}
