import { describe, expect, it } from 'vitest'

import { EVM_WALLET_APPS } from './wallet-apps.ts'

const PAGE = 'https://pay.acme.example/pay?reference_id=0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d&lang=de'
const ENCODED = 'https%3A%2F%2Fpay.acme.example%2Fpay%3Freference_id%3D0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d%26lang%3Dde'

describe('wallet apps', () => {
  it('get the page as each of them documents it', () => {
    expect(EVM_WALLET_APPS.map(({ name, open }) => [name, open(PAGE)])).toEqual([
      [
        'MetaMask',
        'https://link.metamask.io/dapp/pay.acme.example/pay?reference_id=0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d&lang=de',
      ],
      ['Trust Wallet', `https://link.trustwallet.com/open_url?coin_id=60&url=${ENCODED}`],
      ['Coinbase Wallet', `https://go.cb-w.com/dapp?cb_url=${ENCODED}`],
    ])
  })
})
