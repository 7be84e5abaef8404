import type { ChainAdapter } from '../adapter.ts'
import { evmAddresses } from './addresses/addresses.ts'
import { evmTransactionIds } from './addresses/transaction-ids.ts'
import { readBalances, readReceivedUnits, readRise, transferOfRise } from './state/balances.ts'
import { readBlocks } from './blocks/blocks.ts'
import { readClaim, readContracts } from './state/contracts.ts'
import { evmDeposits } from './addresses/derivation.ts'
import { isTracing } from './network/features.ts'
import { identify, readHeads } from './network/heads.ts'
import { readPartialBlock } from './blocks/partial-block.ts'
import { readTransactionFacts } from './blocks/transaction.ts'
import { evmSender } from './sender/sender.ts'
import { evmVaults } from './vaults/vaults.ts'
import { evmPermissions } from './permissions/permissions.ts'
import { evmUris } from './addresses/payment-uris.ts'
import { evmPrivateKeys } from './addresses/private-keys.ts'

/** Chains that speak Ethereum's JSON-RPC (https://ethereum.github.io/execution-apis). */
export const evmAdapter = {
  family: 'ETH_Family',
  addresses: evmAddresses,
  transactions: evmTransactionIds,
  deposits: evmDeposits,
  uris: evmUris,
  reader: {
    identify,
    heads: readHeads,
    blocks: readBlocks,
    transaction: readTransactionFacts,
  },
  balances: { read: readBalances, rise: readRise, transferOf: transferOfRise },
  received: { units: readReceivedUnits },
  partial: { read: readPartialBlock },
  traces: { isTracing },
  vaults: evmVaults,
  permissions: evmPermissions,
  contracts: { read: readContracts, claim: readClaim },
  sender: evmSender,
  privateKeys: evmPrivateKeys,
} satisfies ChainAdapter
