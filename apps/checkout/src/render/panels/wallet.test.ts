import { ASSETS } from '@kassa/primitives/chains/assets.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { describe, expect, it } from 'vitest'

import { ADDRESS, pinnedPayment, SAMPLES, sampleView } from '../../testing/samples.ts'
import { viewModelOf } from '../view-model.ts'
import type { PaymentPublic } from '../view.ts'
import { payFacts } from './wallet.ts'

const ZERO = '0x0000000000000000000000000000000000000000'
const OTHER = '0x1111111111111111111111111111111111111111'

/** Every asset of an EVM network in every mode, with the payment and the link the server makes of it (EIP-681). */
const EVM = ASSETS.flatMap((asset) => {
  const blockchain = BLOCKCHAINS.find(({ code }) => code === asset.blockchain)
  if (blockchain?.family !== 'ETH_Family') return []
  return (['mainnet', 'testnet', 'sandbox'] as const).flatMap((mode) => {
    const address = asset.addresses[mode]
    const chainId = blockchain.networks[mode].chainId
    if (address === null || chainId === undefined) return []
    const isNative = asset.standard === 'native'
    const query = isNative ? '?value=5' : `/transfer?address=${ADDRESS}&uint256=5`
    const payment = pinnedPayment({
      currencySymbol: asset.currency,
      blockchainSymbol: asset.blockchain,
      currencyAddress: address,
      currencyDecimals: asset.decimals,
      paymentURI: `ethereum:${isNative ? ADDRESS : address}@${chainId}${query}`,
    })
    return [{ name: `${asset.currency} on ${asset.blockchain}, ${mode}`, isNative, address, chainId, payment }]
  })
})

const factsOf = (payment: PaymentPublic) => payFacts(viewModelOf(sampleView(payment)))

describe('what a wallet is asked to send', () => {
  it('is looked at for every network with such wallets', () => {
    expect(EVM.filter(({ isNative }) => isNative).map(({ payment }) => payment.blockchainSymbol)).toEqual(
      expect.arrayContaining(['ETH', 'BASE', 'POLYGON']),
    )
  })

  it.each(EVM)('is the network’s own currency, or a token at its contract: $name', (one) => {
    expect(factsOf(one.payment)).toMatchObject({
      chainId: `0x${one.chainId.toString(16)}`,
      to: ADDRESS,
      token: one.isNative ? null : one.address,
    })
  })

  it.each([
    ['a token in the link, none in the payment', { currencyAddress: ZERO }],
    ['a token in the payment, none in the link', { paymentURI: `ethereum:${ADDRESS}@8453?value=49000000` }],
    ['another token', { currencyAddress: OTHER }],
    ['another address', { depositAddress: OTHER }],
    [
      'the zero address as a token',
      { currencyAddress: ZERO, paymentURI: `ethereum:${ZERO}@8453/transfer?address=${ADDRESS}&uint256=49000000` },
    ],
    ['no link', { paymentURI: null }],
    ['a link we do not write', { paymentURI: `ethereum:${ADDRESS}@8453/approve?address=${ADDRESS}&uint256=1` }],
  ])('is nothing where payment and link do not agree: %s', (_, changes) => {
    expect(factsOf(pinnedPayment())).not.toBeNull()
    expect(factsOf(pinnedPayment(changes))).toBeNull()
  })

  it('holds until the price lapses, and says so as the page will', () => {
    const [waiting, partly] = [SAMPLES.waiting, SAMPLES['partly-open']].map((view) => payFacts(viewModelOf(view)))
    expect([waiting?.until, waiting?.texts.lapsed]).toEqual(['2026-11-20T05:26:00.000Z', 'The price has lapsed.'])
    expect([partly?.until, partly?.texts.lapsed]).toEqual([
      '2026-11-20T05:54:20.000Z',
      expect.stringMatching(/^0\.4\sUSDC was missing when time ran out\.$/),
    ])
  })
})
