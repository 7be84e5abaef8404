import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import type { ChainAdapter } from './adapter.ts'
import { bitcoinAdapter } from './bitcoin/adapter.ts'
import { evmAdapter } from './evm/adapter.ts'
import { solanaAdapter } from './solana/adapter.ts'
import { tronAdapter } from './tron/adapter.ts'

const ADAPTERS: Readonly<Partial<Record<ChainFamily, ChainAdapter>>> = {
  ETH_Family: evmAdapter,
  BTC_Family: bitcoinAdapter,
  TRX_Family: tronAdapter,
  SOL_Family: solanaAdapter,
}

/** Returns the adapter of a family, or undefined while Kassa cannot speak to it. */
export function adapterOf(family: ChainFamily): ChainAdapter | undefined {
  return ADAPTERS[family]
}
