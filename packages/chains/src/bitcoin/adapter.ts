import type { ChainAdapter } from '../adapter.ts'
import { bitcoinAddresses } from './addresses/addresses.ts'
import { bitcoinDeposits } from './addresses/derivation.ts'
import { bitcoinUris } from './addresses/payment-uris.ts'
import { bitcoinTransactionIds } from './addresses/transaction-ids.ts'
import { listWaiting, readWaiting, waitingAtOnce } from './blocks/mempool.ts'
import { readBlocks } from './blocks/blocks.ts'
import { outputOfLeg } from './blocks/legs.ts'
import { readTransactionFacts } from './blocks/transaction.ts'
import { identify, readHeads } from './network/heads.ts'
import { broadcastSigned, readFeeRate, readUnspent } from './psbts/network.ts'
import { sizesOf } from './psbts/sizes.ts'

/**
 * Bitcoin, through the RPC of its nodes or through Esplora (docs/decisions/0058). Blocks are read as bytes and proved by their
 * own hashes, so no amount is read from decimal text. Addresses have no balance there, no code runs, and no key of the server
 * signs (docs/decisions/0048): coins are moved by transactions that are signed outside (docs/decisions/0051).
 */
export const bitcoinAdapter = {
  family: 'BTC_Family',
  addresses: bitcoinAddresses,
  transactions: bitcoinTransactionIds,
  deposits: bitcoinDeposits,
  uris: bitcoinUris,
  reader: { identify, heads: readHeads, blocks: readBlocks, transaction: readTransactionFacts },
  mempool: { list: listWaiting, atOnce: waitingAtOnce, read: readWaiting },
  psbts: {
    sizes: sizesOf,
    feeRate: readFeeRate,
    unspent: readUnspent,
    outputOf: outputOfLeg,
    // Loaded with the first sweep, because it needs a library that nothing else here uses.
    build: async (...plan) => (await import('./psbts/build.ts')).buildPsbt(...plan),
    check: async (...signed) => (await import('./psbts/check.ts')).checkPsbt(...signed),
    broadcast: broadcastSigned,
  },
} satisfies ChainAdapter
