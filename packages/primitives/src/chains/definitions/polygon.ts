import type { Blockchain } from '../blockchain.ts'
import { sandboxNetwork } from './sandbox.ts'

/**
 * Polygon PoS. Chain ids: https://docs.polygon.technology. Genesis hashes: Bor `params/config.go`.
 * Coin type 966 is registered in SLIP-44, but wallets derive it as 60. The `finalized` tag follows milestones;
 * a node without it falls back to 64 blocks. Producers drop tips below 25 gwei.
 * Receipts of state sync lie outside the receipts root.
 */
export const polygon: Blockchain = {
  id: 5,
  code: 'POLYGON',
  name: 'Polygon',
  aliases: ['MATIC'],
  family: 'ETH_Family',
  nativeCurrency: 'POL',
  nativeDecimals: 18,
  blockSeconds: 2,
  depositPath: "m/44'/60'/0'/0/i",
  feeModel: 'eip1559',
  typicalFee: { native: 'low', token: 'low' },
  facts: {
    family: 'evm',
    hasReceiptsProof: false,
    supports7702: true,
    maxTxGas: 16_777_216n,
    minTipWei: 25_000_000_000n,
  },
  finalitySeconds: 5,
  confirmations: { minimum: 64, largeFromUsd: 0n, large: 'finalized', reorgLimit: 64 },
  networks: {
    mainnet: {
      name: 'Polygon',
      chainId: 137,
      genesisHash: '0xa9c28ce2141b56c474f1dc504bee9b01eb1bd7d1a507580d5519d4437a97de1b',
      explorerTransaction: 'https://polygonscan.com/tx/{tx}',
      explorerAddress: 'https://polygonscan.com/address/{address}',
      publicNodes: [
        { operator: 'PublicNode', url: 'https://polygon-bor-rpc.publicnode.com' },
        { operator: 'dRPC', url: 'https://polygon.drpc.org' },
      ],
    },
    testnet: {
      name: 'Amoy',
      chainId: 80_002,
      genesisHash: '0x7202b2b53c5a0836e773e319d18922cc756dd67432f9a1f65352b61f4406c697',
      explorerTransaction: 'https://amoy.polygonscan.com/tx/{tx}',
      explorerAddress: 'https://amoy.polygonscan.com/address/{address}',
      publicNodes: [
        { operator: 'Polygon', url: 'https://rpc-amoy.polygon.technology' },
        { operator: 'PublicNode', url: 'https://polygon-amoy-bor-rpc.publicnode.com' },
      ],
      faucet: 'https://faucet.polygon.technology',
    },
    sandbox: sandboxNetwork('POLYGON', 31_339),
  },
  inSandbox: 'on-request',
}
