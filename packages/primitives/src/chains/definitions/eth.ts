import type { Blockchain } from '../blockchain.ts'
import { sandboxNetwork } from './sandbox.ts'

/**
 * Ethereum. Chain ids: EIP-155 and https://chainid.network. Genesis hashes: go-ethereum `params/config.go`.
 * Gas cap: EIP-7825. Twelve confirmations leave a margin over the deepest reorganisation since 2020 (7 blocks).
 */
export const eth: Blockchain = {
  id: 1,
  code: 'ETH',
  name: 'Ethereum',
  aliases: ['ETHEREUM'],
  family: 'ETH_Family',
  nativeCurrency: 'ETH',
  nativeDecimals: 18,
  blockSeconds: 12,
  depositPath: "m/44'/60'/0'/0/i",
  feeModel: 'eip1559',
  typicalFee: { native: 'medium', token: 'high' },
  facts: {
    family: 'evm',
    hasReceiptsProof: true,
    supports7702: true,
    maxTxGas: 16_777_216n,
  },
  finalitySeconds: 960,
  confirmations: { minimum: 12, largeFromUsd: 10_000_000_000n, large: 'finalized', reorgLimit: 64 },
  networks: {
    mainnet: {
      name: 'Ethereum',
      chainId: 1,
      genesisHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
      explorerTransaction: 'https://etherscan.io/tx/{tx}',
      explorerAddress: 'https://etherscan.io/address/{address}',
      publicNodes: [
        { operator: 'PublicNode', url: 'https://ethereum-rpc.publicnode.com' },
        { operator: 'dRPC', url: 'https://eth.drpc.org' },
      ],
    },
    testnet: {
      name: 'Sepolia',
      chainId: 11_155_111,
      genesisHash: '0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9',
      explorerTransaction: 'https://sepolia.etherscan.io/tx/{tx}',
      explorerAddress: 'https://sepolia.etherscan.io/address/{address}',
      publicNodes: [
        { operator: 'PublicNode', url: 'https://ethereum-sepolia-rpc.publicnode.com' },
        { operator: 'dRPC', url: 'https://sepolia.drpc.org' },
      ],
      faucet: 'https://sepolia-faucet.pk910.de',
    },
    sandbox: sandboxNetwork('ETH', 31_337),
  },
  inSandbox: 'always',
}
