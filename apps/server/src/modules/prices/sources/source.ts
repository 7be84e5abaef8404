import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'

import type { Answer } from './answer.ts'

/** A price as a source told it: its own text, and the time it says the price is of. */
export type Quotation = { readonly price: string; readonly at: Date }

/** A public price source on the internet; one file each says what to ask it and how to read it. */
export type Source = {
  /** As operators see it in the evidence of a quote. */
  readonly name: string
  /** Where it answers: fixed here, so that nothing can point it elsewhere. */
  readonly origin: string
  /** What it calls each currency it has a market for; the others are never asked. */
  readonly symbols: Readonly<Partial<Record<CurrencyCode, string>>>
  readonly path: (symbol: string) => string
  /** @throws an Error that says what is wrong with the answer */
  readonly read: (answer: Answer, symbol: string) => Quotation
  /** It speaks of USDT where the others speak of dollars. */
  readonly isInTether?: true
  /** Asked only for what the others leave without a price. */
  readonly isLastResort?: true
}
