import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import type { Wallet, WalletBalance } from '@kassa/contract/wallets/schemas.ts'
import { describe, expect, it } from 'vitest'

import { excessOf, lacksOf } from './hot-words.ts'

const wallet = { id: 3, floatLimitInUSD: '500.00' } as Wallet
const balance = (more: Partial<WalletBalance>) =>
  ({ walletID: 3, blockchainCode: 'BASE', held: '0', stale: false, ...more }) as WalletBalance
const coins = (held: string) => [
  balance({ currencyCode: 'ETH', onChain: '0.1', inUSD: '300.00' }),
  balance({ currencyCode: 'USDC', onChain: '1000', inUSD: '1000.00', held }),
]

describe('excessOf', () => {
  it('moves of the largest coin what is over the limit, and nothing that is reserved', () => {
    expect(excessOf(wallet, coins('0'))).toEqual({ blockchainCode: 'BASE', currencyCode: 'USDC', amount: '800' })
    expect(excessOf(wallet, coins('900.5'))?.amount).toBe('99.5')
    expect(excessOf(wallet, coins('1000'))).toBeUndefined()
    expect(excessOf({ ...wallet, floatLimitInUSD: '5000.00' }, coins('0'))).toBeUndefined()
  })
})

describe('lacksOf', () => {
  it('says how much must arrive in a wallet of which an alarm says that it holds too little', () => {
    const low = (walletID: number, more: object = {}) =>
      ({
        kind: 'hot_wallet_low',
        params: {
          ...{ walletID, blockchainCode: 'TRX', currencyCode: 'TRX', address: 'T1', needed: '20.5', held: '2.5' },
          ...more,
        },
      }) as unknown as Alarm
    expect(lacksOf([wallet], [low(3), low(4)])).toEqual([
      expect.objectContaining({ wallet, blockchainCode: 'TRX', currencyCode: 'TRX', amount: '18' }),
    ])
    expect(lacksOf([wallet], [low(3, { held: '21' }), { ...low(3), kind: 'send_stuck' }])).toEqual([])
  })
})
