import type { BlockchainCode, NetworkMode } from './blockchain.ts'
import type { CurrencyCode } from './currencies.ts'
import { SANDBOX_SOLANA_TOKENS, SANDBOX_TOKENS, SANDBOX_TRON_TOKENS } from './sandbox-tokens.ts'

export type AssetStandard = 'native' | 'ERC20' | 'TRC20' | 'SPL'

/** One currency on one blockchain. Only these contracts can ever be credited. */
export type Asset = {
  readonly id: number
  readonly blockchain: BlockchainCode
  readonly currency: CurrencyCode
  readonly standard: AssetStandard
  readonly decimals: number
  /** Pegged to one US dollar. */
  readonly isStable: boolean
  /** Smallest credited deposit, decimal text in the natural unit; less is recorded as `ignored`. */
  readonly minDepositAmount: string
  /** Contract per network mode, null where the asset does not exist; a native asset has its family's sentinel, empty if none. */
  readonly addresses: Readonly<Record<NetworkMode, string | null>>
}

type Addresses = Asset['addresses']

/** The zero address stands for the native currency on EVM chains. */
const EVM_NATIVE = everywhere('0x0000000000000000000000000000000000000000')

/** The zero key in TRON's spelling: its native sentinel. */
const TRX_NATIVE = everywhere('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')

/** Bitcoin and Solana have no contract address for their own coin. */
const NO_CONTRACT = everywhere('')

/**
 * The seeded assets; ids are stable. Addresses: Circle's (https://developers.circle.com/stablecoins/usdc-contract-addresses),
 * Tether's (https://tether.to/supported-protocols) and Coinbase's (https://www.coinbase.com/cbbtc) lists.
 */
export const ASSETS: readonly Asset[] = [
  native(1, 'ETH', 'ETH', 18, '0.0002', EVM_NATIVE),
  native(2, 'BTC', 'BTC', 8, '0.00001', NO_CONTRACT),
  native(3, 'TRX', 'TRX', 6, '1', TRX_NATIVE),
  native(4, 'BASE', 'ETH', 18, '0.0002', EVM_NATIVE),
  native(5, 'POLYGON', 'POL', 18, '0.5', EVM_NATIVE),
  native(6, 'SOLANA', 'SOL', 9, '0.001', NO_CONTRACT),
  stable(7, 'ETH', 'USDC', 'ERC20', '1', {
    mainnet: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    testnet: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
    sandbox: SANDBOX_TOKENS.usdc,
  }),
  stable(8, 'BASE', 'USDC', 'ERC20', '0.1', {
    mainnet: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    testnet: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    sandbox: SANDBOX_TOKENS.usdc,
  }),
  stable(9, 'POLYGON', 'USDC', 'ERC20', '0.1', {
    mainnet: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    testnet: '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582',
    sandbox: SANDBOX_TOKENS.usdc,
  }),
  stable(10, 'SOLANA', 'USDC', 'SPL', '0.1', {
    mainnet: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    testnet: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    sandbox: SANDBOX_SOLANA_TOKENS.usdc,
  }),
  stable(11, 'ETH', 'USDT', 'ERC20', '1', {
    mainnet: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    testnet: null,
    sandbox: SANDBOX_TOKENS.usdt,
  }),
  stable(12, 'POLYGON', 'USDT', 'ERC20', '0.1', {
    mainnet: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    testnet: null,
    sandbox: SANDBOX_TOKENS.usdt,
  }),
  stable(13, 'TRX', 'USDT', 'TRC20', '0.1', {
    mainnet: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    testnet: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf',
    sandbox: SANDBOX_TRON_TOKENS.usdt,
  }),
  stable(14, 'SOLANA', 'USDT', 'SPL', '0.1', {
    mainnet: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    testnet: null,
    sandbox: SANDBOX_SOLANA_TOKENS.usdt,
  }),
  wrappedBitcoin(15, 'ETH', null),
  wrappedBitcoin(16, 'BASE', '0xcbB7C0006F23900c38EB856149F799620fcb8A4a'),
]

/** Finds a seeded asset by its id, or undefined. */
export function findAsset(id: number): Asset | undefined {
  return ASSETS.find((asset) => asset.id === id)
}

/** Lists the assets that exist in a network mode, each with its address there, by id. */
export function assetsIn(mode: NetworkMode): readonly (Asset & { readonly address: string })[] {
  return ASSETS.flatMap((asset) => {
    const address = asset.addresses[mode]
    return address === null ? [] : [{ ...asset, address }]
  })
}

function everywhere(address: string): Addresses {
  return { mainnet: address, testnet: address, sandbox: address }
}

function native(
  id: number,
  blockchain: BlockchainCode,
  currency: CurrencyCode,
  decimals: number,
  minDepositAmount: string,
  addresses: Addresses,
): Asset {
  return { id, blockchain, currency, standard: 'native', decimals, isStable: false, minDepositAmount, addresses }
}

function stable(
  id: number,
  blockchain: BlockchainCode,
  currency: CurrencyCode,
  standard: AssetStandard,
  minDepositAmount: string,
  addresses: Addresses,
): Asset {
  return { id, blockchain, currency, standard, decimals: 6, isStable: true, minDepositAmount, addresses }
}

function wrappedBitcoin(id: number, blockchain: BlockchainCode, testnet: string | null): Asset {
  return {
    id,
    blockchain,
    currency: 'CBBTC',
    standard: 'ERC20',
    decimals: 8,
    isStable: false,
    minDepositAmount: '0.00001',
    addresses: { mainnet: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', testnet, sandbox: null },
  }
}
