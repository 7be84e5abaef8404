import { describe, expect, it } from 'vitest'
import { parseUnits } from '../money/units.ts'
import { ASSETS, assetsIn, findAsset } from './assets.ts'
import { BLOCKCHAINS, confirmationsIn, findBlockchain } from './blockchains.ts'
import { CURRENCIES, findCurrency } from './currencies.ts'
import { FAMILIES, findFamily } from './families.ts'

const isUnique = (values: readonly unknown[]) => new Set(values).size === values.length

describe('chains.blockchains', () => {
  it('keeps the ids of api.md B1', () => {
    const codes = [...BLOCKCHAINS].map(({ id, code }) => [id, code])
    expect(codes).toEqual([
      [1, 'ETH'],
      [2, 'BTC'],
      [3, 'TRX'],
      [4, 'BASE'],
      [5, 'POLYGON'],
      [6, 'SOLANA'],
    ])
  })

  it.each([
    [3, 'TRX'],
    ['3', 'TRX'],
    ['tron', 'TRX'],
    ['Ethereum', 'ETH'],
    ['base', 'BASE'],
    ['sol', 'SOLANA'],
    ['bitcoin', 'BTC'],
  ])('finds %s', (wanted, code) => {
    expect(findBlockchain(wanted)?.code).toBe(code)
  })

  it.each(['', 'dogecoin', 0, 'ETH_Family'])('does not find %s', (wanted) => {
    expect(findBlockchain(wanted)).toBeUndefined()
  })

  it('never uses a chain id or a name twice', () => {
    const networks = BLOCKCHAINS.flatMap(({ networks: all }) => Object.values(all))
    expect(isUnique(networks.flatMap(({ chainId }) => chainId ?? []))).toBe(true)
    expect(isUnique(networks.flatMap(({ genesisHash }) => genesisHash ?? []))).toBe(true)
    expect(isUnique(BLOCKCHAINS.flatMap(({ code, aliases }) => [code, ...aliases]))).toBe(true)
  })

  it('names transaction and address in every explorer', () => {
    for (const network of BLOCKCHAINS.flatMap(({ networks }) => Object.values(networks))) {
      expect(network.explorerTransaction).toMatch(/^(https:\/|\/sandbox)\/.*\{tx\}/)
      expect(network.explorerAddress).toMatch(/^(https:\/|\/sandbox)\/.*\{address\}/)
    }
  })

  it('names public nodes of different hosts over https, and who gives test coins away', () => {
    for (const { networks } of BLOCKCHAINS) {
      for (const { publicNodes } of [networks.mainnet, networks.testnet]) {
        expect(publicNodes.length).toBeGreaterThan(0)
        const urls = publicNodes.map(({ url }) => new URL(url))
        expect(urls.every(({ protocol, username, search }) => protocol === 'https:' && username + search === '')).toBe(
          true,
        )
        expect(isUnique(urls.map(({ host }) => host))).toBe(true)
      }
      expect(networks.sandbox.publicNodes).toEqual([])
      const faucets = [networks.mainnet, networks.testnet, networks.sandbox].map(({ faucet }) => faucet?.slice(0, 8))
      expect(faucets).toEqual([undefined, 'https://', undefined])
    }
  })

  it('asks two blocks and no finality on the sandbox only', () => {
    for (const blockchain of BLOCKCHAINS) {
      expect(confirmationsIn('sandbox', blockchain)).toMatchObject({ minimum: 2, large: 2 })
      expect(confirmationsIn('testnet', blockchain)).toBe(blockchain.confirmations)
      expect(confirmationsIn('mainnet', blockchain)).toBe(blockchain.confirmations)
    }
  })
})

describe('chains.assets', () => {
  it('has each currency once per blockchain, of known ones, with its own id', () => {
    expect(isUnique(ASSETS.map(({ id }) => id))).toBe(true)
    expect(isUnique(ASSETS.map(({ blockchain, currency }) => `${blockchain}:${currency}`))).toBe(true)
    for (const asset of ASSETS) {
      expect(findBlockchain(asset.blockchain)).toBeDefined()
      expect(findCurrency(asset.currency)?.isStable).toBe(asset.isStable)
      expect(findAsset(asset.id)).toBe(asset)
      expect(parseUnits(asset.minDepositAmount, asset.decimals)).toBeGreaterThan(0n)
    }
  })

  it('has exactly one native asset per blockchain, in its native currency and decimals', () => {
    for (const { code, nativeCurrency, nativeDecimals } of BLOCKCHAINS) {
      const native = ASSETS.filter((asset) => asset.blockchain === code && asset.standard === 'native')
      expect(native).toMatchObject([{ currency: nativeCurrency, decimals: nativeDecimals }])
    }
  })

  it.each([
    ['mainnet', 16],
    ['testnet', 12],
    ['sandbox', 14],
  ] as const)('lists those of %s with their addresses, of the family’s shape', (mode, count) => {
    const assets = assetsIn(mode)
    expect(assets).toHaveLength(count)
    for (const { address, blockchain } of assets.filter((asset) => asset.address !== '')) {
      expect(address).toMatch(new RegExp(findFamily(findBlockchain(blockchain)?.family ?? '')?.addressPattern ?? '^$'))
    }
  })

  it('has test USDC on both sandbox chains and USDT on ETH', () => {
    const cells = assetsIn('sandbox').map(({ blockchain, currency }) => `${blockchain}:${currency}`)
    expect(cells).toEqual(expect.arrayContaining(['ETH:ETH', 'ETH:USDC', 'ETH:USDT', 'BASE:ETH', 'BASE:USDC']))
    expect(cells).not.toContain('BASE:USDT')
  })
})

describe('chains.families and currencies', () => {
  it('keep their ids', () => {
    expect(FAMILIES.map(({ id, family }) => [id, family])).toEqual([
      [1, 'ETH_Family'],
      [2, 'BTC_Family'],
      [3, 'TRX_Family'],
      [4, 'SOL_Family'],
    ])
    expect(CURRENCIES.map(({ id, code }) => `${id} ${code}`).join()).toBe(
      '1 ETH,2 BTC,3 TRX,4 POL,5 SOL,6 USDC,7 USDT,8 CBBTC',
    )
  })

  it('are found by id or by name in any case', () => {
    expect(findFamily('eth_family')?.id).toBe(1)
    expect(findFamily(4)?.family).toBe('SOL_Family')
    expect(findCurrency('usdc')?.id).toBe(6)
    expect(findCurrency(7)?.code).toBe('USDT')
    expect(findCurrency('DOGE')).toBeUndefined()
  })
})
