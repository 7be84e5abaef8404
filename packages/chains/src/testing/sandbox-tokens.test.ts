import { ASSETS } from '@kassa/primitives/chains/assets.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, getAddress, getContractAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adapterOf } from '../adapters.ts'
import { InvalidInput } from '../errors.ts'
import { chainOf, type AnvilChain, openAnvilChain } from './anvil-chain.ts'
import { deploySandboxTokens, SANDBOX_DEPLOYER_KEY } from './sandbox-tokens.ts'

let anvil: AnvilChain

beforeAll(async () => {
  anvil = await openAnvilChain()
}, 30_000)
afterAll(() => anvil.stop())

describe('testing.sandboxTokens', () => {
  it('have the addresses that their deployer and nonces give', () => {
    const { deployer, usdc, usdt, lookAlikeUsdc } = SANDBOX_TOKENS
    expect(privateKeyToAddress(SANDBOX_DEPLOYER_KEY)).toBe(deployer)
    const created = [0n, 1n, 2n].map((nonce) => getContractAddress({ from: deployer, nonce }))
    expect(created).toEqual([usdc, usdt, lookAlikeUsdc])
  })

  it('are at these addresses after deployment, and a second deployment changes nothing', async () => {
    const nonce = () => anvil.call('eth_getTransactionCount', SANDBOX_TOKENS.deployer, 'latest')
    expect(await nonce()).toBe('0x3')
    await deploySandboxTokens(anvil.url, anvil.payer)
    expect(await nonce()).toBe('0x3')
    const asks = [7, 11].map((assetId) => ({ assetId, address: anvil.payer }))
    const balances = await adapterOf('ETH_Family')?.balances?.read(anvil.session, asks)
    expect(balances?.map(({ units }) => units)).toEqual([10n ** 15n, 10n ** 15n])
  })

  it('name the look-alike like the real one', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' })
    const symbols = [SANDBOX_TOKENS.usdc, SANDBOX_TOKENS.lookAlikeUsdc].map(async (to) => {
      const answer = (await anvil.call('eth_call', { to, data }, 'latest')) as `0x${string}`
      return decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data: answer })
    })
    expect(await Promise.all(symbols)).toEqual(['USDC', 'USDC'])
  })
})

describe('chains.assets', () => {
  it('writes every EVM address with its checksum', () => {
    const { addresses } = adapterOf('ETH_Family') ?? {}
    const chain = chainOf('ETH', 'mainnet')
    const evm = ASSETS.flatMap((asset) => Object.values(asset.addresses)).filter((address) => address?.startsWith('0x'))
    expect(evm.length).toBeGreaterThan(15)
    for (const address of evm) expect(addresses?.parse(chain, address ?? '')).toBe(getAddress(address ?? ''))
    expect(() => addresses?.parse(chain, 'x')).toThrow(InvalidInput)
  })
})
