import type { TickerRow } from '@kassa/contract/prices/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { priceText } from './rules.ts'
import type { TickerFacts } from './service.ts'

/** An asset with its price as the contract shows it; without a price it is stale, and shows when there was one last. */
export function tickerView({ asset, facts, lastAt }: TickerFacts, now: Date): TickerRow {
  return {
    blockchainCode: asset.blockchainCode,
    currencyCode: asset.currencyCode,
    tokenAddress: asset.address,
    standard: asset.standard,
    walletPrecision: asset.decimals,
    family: findBlockchain(asset.blockchainCode)?.family ?? '',
    price: facts && priceText(facts.price),
    updatedAt: facts?.at ?? lastAt ?? now,
    stale: facts === null,
  }
}
