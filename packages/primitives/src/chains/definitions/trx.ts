import type { Blockchain } from '../blockchain.ts'
import { sandboxNetwork } from './sandbox.ts'

/**
 * TRON. Genesis ids: `wallet/getblockbynum` 0 of each network; the chain id is their last 4 bytes (TIP-474).
 * Twenty blocks exceed the 19 of 27 producers that make a block irreversible; deposits wait for the solidified head.
 */
export const trx: Blockchain = {
  id: 3,
  code: 'TRX',
  name: 'TRON',
  aliases: ['TRON'],
  family: 'TRX_Family',
  nativeCurrency: 'TRX',
  nativeDecimals: 6,
  blockSeconds: 3,
  depositPath: "m/44'/195'/0'/0/i",
  feeModel: 'tron',
  typicalFee: { native: 'low', token: 'high' },
  facts: { family: 'tron' },
  finalitySeconds: 57,
  confirmations: { minimum: 20, largeFromUsd: 0n, large: 'finalized', reorgLimit: 64 },
  networks: {
    mainnet: {
      name: 'TRON',
      chainId: 728_126_428,
      genesisHash: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
      explorerTransaction: 'https://tronscan.org/#/transaction/{tx}',
      explorerAddress: 'https://tronscan.org/#/address/{address}',
      publicNodes: [
        { operator: 'TronGrid', url: 'https://api.trongrid.io' },
        { operator: 'PublicNode', url: 'https://tron-rpc.publicnode.com' },
      ],
    },
    testnet: {
      name: 'Nile',
      chainId: 3_448_148_188,
      genesisHash: '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
      explorerTransaction: 'https://nile.tronscan.org/#/transaction/{tx}',
      explorerAddress: 'https://nile.tronscan.org/#/address/{address}',
      publicNodes: [
        { operator: 'TronGrid', url: 'https://nile.trongrid.io' },
        { operator: 'Nile', url: 'https://api.nileex.io' },
      ],
      faucet: 'https://nileex.io/join/getJoinPage',
    },
    sandbox: sandboxNetwork('TRX', 31_341),
  },
  inSandbox: 'on-request',
}
