import type { PaymentOption } from '@kassa/contract/payments/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { describe, expect, it } from 'vitest'

import { orderOptions, typicalSeconds } from './option-rules.ts'

const STABLE = new Set(['USDC', 'USDT'])

/** An option on a chain as it is defined: "USDC BASE". */
function ranked(name: string, more: Partial<PaymentOption> = {}) {
  const [currencyCode = '', blockchainCode = ''] = name.split(' ')
  const chain = findBlockchain(blockchainCode)
  if (chain === undefined) throw new Error(`There is no chain ${blockchainCode}`)
  const isNative = chain.nativeCurrency === currencyCode
  const terms = { usd: 49_000_000n, minConfirmations: chain.confirmations.minimum }
  return {
    isStable: STABLE.has(currencyCode),
    option: {
      currencyCode,
      blockchainCode,
      ready: true,
      recommended: false,
      mostUsed: false,
      typicalFee: chain.typicalFee[isNative ? 'native' : 'token'],
      typicalSeconds: typicalSeconds(chain, chain.confirmations, terms),
      ...more,
    } as PaymentOption,
  }
}

const names = (...options: ReturnType<typeof ranked>[]) =>
  orderOptions(options).map(({ currencyCode, blockchainCode }) => `${currencyCode} ${blockchainCode}`)

describe('payments.orderOptions', () => {
  it('offers a stable currency on the cheapest network first while nothing else is known', () => {
    const all = ['ETH ETH', 'USDC ETH', 'BTC BTC', 'USDT TRX', 'ETH BASE', 'USDC BASE', 'USDC POLYGON']
    expect(names(...all.map((name) => ranked(name)))).toEqual([
      'USDC POLYGON',
      'USDC BASE',
      'USDT TRX',
      'USDC ETH',
      'ETH BASE',
      'ETH ETH',
      'BTC BTC',
    ])
  })

  it('puts what the project recommends and what is used most before it, and what cannot be paid last', () => {
    const stable = ranked('USDC BASE')
    const used = ranked('BTC BTC', { mostUsed: true })
    const recommended = ranked('ETH ETH', { recommended: true })
    const gone = ranked('USDT ETH', { recommended: true, ready: false })
    expect(names(gone, stable, used, recommended)).toEqual(['ETH ETH', 'BTC BTC', 'USDC BASE', 'USDT ETH'])
  })

  it('leaves equal ones as they are, and what is not known behind what is', () => {
    const unknown = ranked('USDC BASE', { typicalFee: null, typicalSeconds: null })
    expect(names(unknown, ranked('USDT BASE'), ranked('USDC BASE'))).toEqual(['USDT BASE', 'USDC BASE', 'USDC BASE'])
  })
})

describe('payments.typicalSeconds', () => {
  const eth = { blockSeconds: 12, finalitySeconds: 960 }
  const small = { usd: 49_000_000n, minConfirmations: 12 }
  it.each([
    ['the depth of a small amount', eth, { largeFromUsd: 50_000_000n, large: 'finalized' as const }, 144],
    ['the signal of a large amount', eth, { largeFromUsd: 49_000_000n, large: 'finalized' as const }, 960],
    ['the depth where there is no signal', { blockSeconds: 600 }, { largeFromUsd: 0n, large: 13 }, 7_800],
    ['whole seconds', { blockSeconds: 0.4 }, { largeFromUsd: 50_000_000n, large: 6 }, 5],
  ])('counts %s', (_what, chain, rule, seconds) => {
    expect(typicalSeconds(chain, rule, small)).toBe(seconds)
  })
})
