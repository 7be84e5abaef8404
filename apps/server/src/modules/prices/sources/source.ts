import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'

import type { Answer } from './answer.ts'

/** A price as a source reported it: its own text, and the time it states for the price. */
export type Quotation = { readonly price: string; readonly at: Date }

/** A public price source on the internet; one file per source defines its requests and how to read its answers. */
export type Source = {
  /** As operators see it in the evidence of a quote. */
  readonly name: string
  /** Its address: fixed here, so that no setting can redirect it. */
  readonly origin: string
  /** Its names of the currencies it has a market for; the others are never requested. */
  readonly symbols: Readonly<Partial<Record<CurrencyCode, string>>>
  readonly path: (symbol: string) => string
  /** @throws Error with what is wrong with the answer */
  readonly read: (answer: Answer, symbol: string) => Quotation
  /** It quotes in USDT where the others quote in dollars. */
  readonly isInTether?: true
  /** Asked only for what has no price without it. */
  readonly isLastResort?: true
}
