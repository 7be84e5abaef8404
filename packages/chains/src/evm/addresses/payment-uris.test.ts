import { describe, expect, it } from 'vitest'
import { chainOf } from '../../testing/anvil-chain.ts'
import { evmUris } from './payment-uris.ts'

const to = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'

describe('evm.uris', () => {
  it('asks for native currency in wei (EIP-681)', () => {
    const uri = evmUris.payment(chainOf('BASE', 'mainnet'), { assetId: 4, to, units: 16_334_000_000_000_000n })
    expect(uri).toBe(`ethereum:${to}@8453?value=16334000000000000`)
  })

  it('asks for a token by its contract’s transfer (EIP-681)', () => {
    const uri = evmUris.payment(chainOf('ETH', 'mainnet'), { assetId: 7, to, units: 49_000_000n })
    const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    expect(uri).toBe(`ethereum:${usdc}@1/transfer?address=${to}&uint256=49000000`)
  })

  it('refuses an asset of another chain', () => {
    expect(() => evmUris.payment(chainOf('ETH', 'mainnet'), { assetId: 8, to, units: 1n })).toThrow('not on ETH')
  })
})
