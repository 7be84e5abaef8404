import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { type Hex, decodeFunctionResult, encodeFunctionData, erc20Abi, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { bookFloat } from '../../../testing/money-out/hot-wallet.ts'
import { claimOf, PAYEE, payoutShop } from '../../../testing/money-out/payouts.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { startFollowingSends } from '../../sends/following/service.ts'
import { addHotWallet, findHotWallet } from '../../wallets/hot/service.ts'
import { startSigning } from './service.ts'

const [CHAIN, ETH, USDC] = [1, 1, 7]

let app: TestApp
let anvil: AnvilChain
let reader: TestReader
let root: string
let shop: Awaited<ReturnType<typeof payoutShop>>

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp(), openAnvilChain()])
  root = await app.signUp()
  shop = await payoutShop(app, root)
  const ctx = asSystem(app.ctx)
  await setSandboxNode(ctx, 'ETH', anvil.node.label)
  reader = await testReader(ctx, 'ETH')
  await reader.catchUp()
  await addHotWallet(ctx, { family: 'ETH_Family', name: 'Payouts', generate: true, functions: ['payout'] })
  const wallet = await findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'payout' })
  const address = wallet?.address as Hex
  await anvil.call('anvil_setBalance', address, numberToHex(parseEther('10')))
  await anvil.transfer(SANDBOX_TOKENS.usdc, address, 1_000_000_000n)
  await bookFloat(ctx, wallet?.walletId ?? 0, { [ETH]: parseEther('10'), [USDC]: 1_000_000_000n })
}, 120_000)
afterAll(async () => {
  await app.stop()
  await anvil.stop()
})

const lastUse = async () => {
  const wallets = (await app.call(walletsRoutes.listWallets, {}, { key: root })).body
  return wallets.find(({ walletType }) => walletType === 'hot_wallet')?.lastUsedAt
}
const received = async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [PAYEE] })
  const answer = (await anvil.call('eth_call', { to: SANDBOX_TOKENS.usdc, data }, 'latest')) as Hex
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: answer })
}

describe('payouts on a local chain', () => {
  it(
    'arrive once, with every signing process, and leave the books equal to the chain',
    { timeout: 180_000 },
    async () => {
      const report = () => undefined
      expect(await lastUse()).toBeNull()
      const before = Date.now()
      // Two processes of the role sender at once (D-6).
      const loops = [1, 2].flatMap(() => [startSigning(app.ctx, report), startFollowingSends(app.ctx, report)])
      const ids: number[] = []
      for (const amount of ['100', '25.5']) {
        const { id } = (await shop.ask({ amount })).body
        await shop.approve(id)
        ids.push(id)
      }
      const states = async () => Promise.all(ids.map(async (id) => (await shop.read(id)).body.status))
      for (let round = 0; round < 120 && (await states()).some((state) => state !== 'processed'); round += 1) {
        await anvil.mine()
        await reader.catchUp()
        await new Promise((done) => setTimeout(done, 500))
      }
      await Promise.all(loops.map(({ stop }) => stop()))
      expect(await states()).toEqual(['processed', 'processed'])
      expect(await received()).toBe(125_500_000n)
      expect(await claimOf(app, 'project:held', `project:${shop.projectId}`)).toBe(0n)
      const { body } = await shop.read(ids[0] ?? 0)
      expect(body.timeline.map(({ event }) => event).slice(-3)).toEqual([
        'payout.initiated',
        'payout.sent',
        'payout.processed',
      ])
      expect(Number(body.fee)).toBeGreaterThan(0)
      expect((await lastUse())?.getTime()).toBeGreaterThanOrEqual(before)
      await shop.recipient()
      const [recipient] = (await shop.listRecipients()).body.recipients
      expect(recipient).toMatchObject({ address: PAYEE, earlierPayouts: 2 })
    },
  )
})
