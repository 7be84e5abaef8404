import type { Blockchain } from '../blockchain.ts'
import { sandboxNetwork } from './sandbox.ts'

/**
 * Solana. Genesis hashes: RPC `getGenesisHash` (https://solana.com/docs/references/clusters). Path: SLIP-10, which
 * has hardened children only for ed25519. Deposits wait for commitment `finalized`.
 */
export const solana: Blockchain = {
  id: 6,
  code: 'SOLANA',
  name: 'Solana',
  aliases: ['SOL'],
  family: 'SOL_Family',
  nativeCurrency: 'SOL',
  nativeDecimals: 9,
  blockSeconds: 0.4,
  depositPath: "m/44'/501'/i'/0'",
  feeModel: 'lamports',
  typicalFee: { native: 'low', token: 'low' },
  facts: { family: 'solana' },
  finalitySeconds: 13,
  confirmations: { minimum: 32, largeFromUsd: 0n, large: 'finalized', reorgLimit: 512 },
  networks: {
    mainnet: {
      name: 'Solana',
      genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
      explorerTransaction: 'https://solscan.io/tx/{tx}',
      explorerAddress: 'https://solscan.io/account/{address}',
      publicNodes: [
        { operator: 'Solana', url: 'https://api.mainnet-beta.solana.com' },
        { operator: 'PublicNode', url: 'https://solana-rpc.publicnode.com' },
      ],
    },
    testnet: {
      name: 'Devnet',
      genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
      explorerTransaction: 'https://solscan.io/tx/{tx}?cluster=devnet',
      explorerAddress: 'https://solscan.io/account/{address}?cluster=devnet',
      publicNodes: [{ operator: 'Solana', url: 'https://api.devnet.solana.com' }],
      faucet: 'https://faucet.solana.com',
    },
    // SHA-256 of "kassa sandbox solana genesis"; a network is known by it, because Solana has no chain ids.
    sandbox: { ...sandboxNetwork('SOLANA'), genesisHash: '7AQEA443vWUu2d9RCXSQ5gdez7tGnBpFEj3R5quXBFgz' },
  },
  inSandbox: 'on-request',
}
