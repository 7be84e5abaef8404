/**
 * Every depth of reorganisation that is followed, under open, confirming and filled payments, read block by block
 * (money.md 2.3).
 */
import { connect } from '@kassa/chains/node/client.ts'
import type { Fetch } from '@kassa/chains/node/transport.ts'
import { answer, NodeRefusal } from '@kassa/chains/testing/fake-chain/answers.ts'
import { createFakeChain, type FakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import { type FakeTransaction, sendToken } from '@kassa/chains/testing/fake-chain/transactions.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { openShop } from '../../testing/shop.ts'
import { ASSET, balanceOf, dollars, openCashier, type Cashier } from '../../testing/cashier.ts'
import { type TestReader, testReader } from '../../testing/test-follower.ts'

const DEPTHS = Array.from({ length: 64 }, (_, at) => at + 1)
/** A sandbox deposit is final two blocks deep: a payment in the newest block is not. */
const CONFIRMATIONS = 2
/** More than the deepest reorganisation. */
const FIRST_BLOCKS = 70
const SECOND = 1_000

let app: TestApp
let cashier: Cashier
let chain: FakeChain
let reader: TestReader

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-03-01T12:00:00.000Z') })
  cashier = openCashier(app, await openShop(app, await app.signUp()))
  chain = createFakeChain({ chainId: 31_337, startTime: app.clock.now.getTime() / SECOND, hasFinality: false })
  mine(FIRST_BLOCKS)
  const fetch = nodeOf(chain)
  reader = await testReader({ ...app.ctx, memory: new Map(), connect: (node) => connect({ ...node, fetch }) }, 'ETH')
  await read()
}, 60_000)
afterAll(() => app.stop())

function nodeOf(shown: FakeChain): Fetch {
  return async (_url, init) => {
    const asked = JSON.parse(String(init.body)) as Asked | Asked[]
    const answers = Array.isArray(asked) ? asked.map((one) => reply(shown, one)) : reply(shown, asked)
    return Response.json(answers)
  }
}

type Asked = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

function reply(shown: FakeChain, { id, method, params }: Asked): unknown {
  try {
    return { jsonrpc: '2.0', id, result: answer(shown.view(), { method, params }) }
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
  }
}

/** Mines so many blocks, a second apart; the transactions are in the first of them. */
function mine(blocks: number, transactions: readonly FakeTransaction[] = []): void {
  for (let at = 0; at < blocks; at += 1) {
    cashier.pass(SECOND)
    chain.mine(app.clock.now.getTime() / SECOND, at === 0 ? transactions : [])
  }
}

const read = () => reader.catchUp()

const transferTo = (to: string): FakeTransaction =>
  sendToken({
    name: `to ${to}`,
    from: '0x00000000000000000000000000000000000beef1',
    to: to.toLowerCase(),
    units: dollars(100),
    token: SANDBOX_TOKENS.usdc.toLowerCase(),
  })

const stateOf = async (ref: string) => (await cashier.show(ref)).paymentState
const creditedUnits = () => balanceOf(app, 'project:balance', ASSET.USDC_ON_ETH)

describe('a reorganisation', () => {
  it.each(DEPTHS)(
    'of depth %i reverts what was in it, notifies the shop, and finalizes what is mined again',
    async (depth) => {
      const before = await creditedUnits()
      const [open, confirming] = [await cashier.newPayment(), await cashier.newPayment()]
      const filled = depth < CONFIRMATIONS ? null : await cashier.newPayment()
      const [first, last] = [filled && transferTo(filled.to), transferTo(confirming.to)]
      if (first) mine(depth - 1, [first])
      mine(1, [last])
      await read()
      expect(filled && (await stateOf(filled.ref))).toBe(filled && 'FILLED')
      expect(await cashier.show(confirming.ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'detected' })

      expect(chain.leave(depth)).toHaveLength(depth)
      mine(depth)
      await read()
      expect(filled && (await stateOf(filled.ref))).toBe(filled && 'OPEN')
      expect(await cashier.show(confirming.ref)).toMatchObject({ paymentState: 'OPEN', filledAmount: '0' })
      expect(await creditedUnits()).toBe(before)

      mine(CONFIRMATIONS, [...(first ? [first] : []), last])
      await read()
      expect(filled && (await stateOf(filled.ref))).toBe(filled && 'FILLED')
      expect(await stateOf(confirming.ref)).toBe('FILLED')
      expect(await stateOf(open.ref)).toBe('OPEN')
      expect(await cashier.emitted(confirming.ref)).toEqual(['payment.detected', 'payment.detected', 'payment.filled'])
      expect(filled && (await cashier.emitted(filled.ref))).toEqual(
        filled && ['payment.detected', 'payment.filled', 'payment.reopened', 'payment.detected', 'payment.filled'],
      )
      expect(await cashier.emitted(open.ref)).toEqual([])
    },
  )
})
