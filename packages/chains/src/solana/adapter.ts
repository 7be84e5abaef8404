import type { ChainAdapter } from '../adapter.ts'
import { solanaAddresses } from './addresses/addresses.ts'
import { solanaLists } from './addresses/lists.ts'
import { solanaUris } from './addresses/payment-uris.ts'
import { solanaTransactionIds } from './addresses/transaction-ids.ts'
import { readBlocks } from './blocks/blocks.ts'
import { readTransactionFacts } from './blocks/transaction.ts'
import { solanaDrafts } from './drafts/drafts.ts'
import { identify, readHeads } from './network/heads.ts'
import { readHoldings } from './state/holdings.ts'
import { readClaim, readMints } from './state/mints.ts'

/**
 * Solana, by the JSON-RPC of its nodes (https://solana.com/docs/rpc). Its keys have only hardened children, so addresses come
 * in lists. What arrived is what accounts held after a transaction minus what they held before it.
 */
export const solanaAdapter = {
  family: 'SOL_Family',
  addresses: solanaAddresses,
  transactions: solanaTransactionIds,
  lists: solanaLists,
  uris: solanaUris,
  reader: { identify, heads: readHeads, blocks: readBlocks, transaction: readTransactionFacts, leavesHeightsOut: true },
  holdings: { read: (session, asks) => readHoldings(session, asks) },
  drafts: solanaDrafts,
  contracts: { read: readMints, claim: readClaim },
} satisfies ChainAdapter
