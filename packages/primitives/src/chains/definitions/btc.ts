import type { Blockchain } from '../blockchain.ts'
import { sandboxNetwork } from './sandbox.ts'

/**
 * Bitcoin. Genesis hashes: Bitcoin Core `src/kernel/chainparams.cpp` (main, testnet4 of BIP-94). Path: BIP-84;
 * test networks use coin type 1. There is no finality signal; six blocks is the convention for large sums.
 */
export const btc: Blockchain = {
  id: 2,
  code: 'BTC',
  name: 'Bitcoin',
  aliases: ['BITCOIN'],
  family: 'BTC_Family',
  nativeCurrency: 'BTC',
  nativeDecimals: 8,
  blockSeconds: 600,
  depositPath: "m/84'/0'/0'/0/i",
  feeModel: 'vbyte',
  typicalFee: { native: 'medium', token: 'medium' },
  facts: { family: 'bitcoin' },
  confirmations: { minimum: 2, largeFromUsd: 10_000_000_000n, large: 6, reorgLimit: 100 },
  networks: {
    mainnet: {
      name: 'Bitcoin',
      genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      explorerTransaction: 'https://mempool.space/tx/{tx}',
      explorerAddress: 'https://mempool.space/address/{address}',
      publicNodes: [
        { operator: 'mempool.space', url: 'https://mempool.space/api' },
        { operator: 'Blockstream', url: 'https://blockstream.info/api' },
      ],
    },
    testnet: {
      name: 'Testnet4',
      genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
      explorerTransaction: 'https://mempool.space/testnet4/tx/{tx}',
      explorerAddress: 'https://mempool.space/testnet4/address/{address}',
      publicNodes: [{ operator: 'mempool.space', url: 'https://mempool.space/testnet4/api' }],
      faucet: 'https://mempool.space/testnet4/faucet',
    },
    sandbox: sandboxNetwork('BTC'),
  },
  inSandbox: 'on-request',
}
