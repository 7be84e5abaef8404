import type { Blockchain } from '../blockchain.ts'
import { sandboxNetwork } from './sandbox.ts'

/**
 * Base, an OP-stack chain. Chain ids and block time: https://docs.base.org. Genesis hashes: the Superchain registry.
 * `finalized` means that the batch is older than two epochs on Ethereum. Receipts of deposits have fields of their own.
 */
export const base: Blockchain = {
  id: 4,
  code: 'BASE',
  name: 'Base',
  aliases: [],
  family: 'ETH_Family',
  nativeCurrency: 'ETH',
  nativeDecimals: 18,
  blockSeconds: 2,
  depositPath: "m/44'/60'/0'/0/i",
  feeModel: 'op-stack',
  typicalFee: { native: 'low', token: 'low' },
  facts: {
    family: 'evm',
    hasReceiptsProof: true,
    supports7702: true,
    maxTxGas: 16_777_216n,
  },
  finalitySeconds: 1_200,
  confirmations: { minimum: 15, largeFromUsd: 10_000_000_000n, large: 'finalized', reorgLimit: 64 },
  networks: {
    mainnet: {
      name: 'Base',
      chainId: 8453,
      genesisHash: '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd',
      explorerTransaction: 'https://basescan.org/tx/{tx}',
      explorerAddress: 'https://basescan.org/address/{address}',
      publicNodes: [
        { operator: 'Base', url: 'https://mainnet.base.org' },
        { operator: 'PublicNode', url: 'https://base-rpc.publicnode.com' },
      ],
    },
    testnet: {
      name: 'Base Sepolia',
      chainId: 84_532,
      genesisHash: '0x0dcc9e089e30b90ddfc55be9a37dd15bc551aeee999d2e2b51414c54eaf934e4',
      explorerTransaction: 'https://sepolia.basescan.org/tx/{tx}',
      explorerAddress: 'https://sepolia.basescan.org/address/{address}',
      publicNodes: [
        { operator: 'Base', url: 'https://sepolia.base.org' },
        { operator: 'PublicNode', url: 'https://base-sepolia-rpc.publicnode.com' },
      ],
      faucet: 'https://portal.cdp.coinbase.com/products/faucet',
    },
    sandbox: sandboxNetwork('BASE', 31_338),
  },
  inSandbox: 'always',
}
