import type { TickerRow } from '@kassa/contract/prices/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import type { Asset } from '../blockchains/service.ts'
import { type PriceFacts, priceText } from './rules.ts'

/** An asset with its price as the contract shows it; without a price it is stale. */
export function tickerView(asset: Asset, facts: PriceFacts | null, now: Date): TickerRow {
  return {
    blockchainCode: asset.blockchainCode,
    currencyCode: asset.currencyCode,
    tokenAddress: asset.address,
    standard: asset.standard,
    walletPrecision: asset.decimals,
    family: findBlockchain(asset.blockchainCode)?.family ?? '',
    price: facts && priceText(facts.price),
    updatedAt: facts?.at ?? now,
    stale: facts === null,
  }
}
