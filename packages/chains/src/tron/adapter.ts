import type { ChainAdapter } from '../adapter.ts'
import { tronAddresses } from './addresses/addresses.ts'
import { tronDeposits } from './addresses/derivation.ts'
import { tronPrivateKeys } from './addresses/private-keys.ts'
import { tronUris } from './addresses/payment-uris.ts'
import { tronTransactionIds } from './addresses/transaction-ids.ts'
import { readBlocks } from './blocks/blocks.ts'
import { findShortcoming } from './blocks/internal-records.ts'
import { readTransactionFacts } from './blocks/transaction.ts'
import { tronDrafts } from './drafts/drafts.ts'
import { identify, readHeads } from './network/heads.ts'
import { tronPermissions } from './permissions/permissions.ts'
import { tronSender } from './sender/sender.ts'
import { readClaim, readContracts } from './state/contracts.ts'
import { readFinalHoldings } from './state/holdings.ts'
import { tronVaults } from './vaults/vaults.ts'

/**
 * TRON, by the HTTP interface of its nodes (https://developers.tron.network/reference). Every block contains the calls inside
 * its transactions, so no traces are needed, unless a node is set to keep no
 * records of them; nodes keep no old balances.
 */
export const tronAdapter = {
  family: 'TRX_Family',
  addresses: tronAddresses,
  transactions: tronTransactionIds,
  deposits: tronDeposits,
  uris: tronUris,
  reader: {
    identify,
    heads: readHeads,
    blocks: readBlocks,
    transaction: readTransactionFacts,
    shortcoming: findShortcoming,
  },
  holdings: { read: readFinalHoldings },
  contracts: { read: readContracts, claim: readClaim },
  sender: tronSender,
  privateKeys: tronPrivateKeys,
  vaults: tronVaults,
  permissions: tronPermissions,
  drafts: tronDrafts,
} satisfies ChainAdapter
