/** Every depth a reorganisation is followed to, under open, confirming and settled payments, read block by block (2.3). */
import { connect } from '@kassa/chains/node/client.ts'
import type { Fetch } from '@kassa/chains/node/transport.ts'
import { answer, NodeRefusal } from '@kassa/chains/testing/fake-chain/answers.ts'
import { createFakeChain, type FakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import { type FakeTransaction, sendToken } from '@kassa/chains/testing/fake-chain/transactions.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { openShop } from '../../testing/shop.ts'
import { ASSET, balanceOf, dollars, openTill, type Till } from '../../testing/till.ts'
import { type TestReader, testReader } from '../../testing/test-follower.ts'

const DEPTHS = Array.from({ length: 64 }, (_, at) => at + 1)
/** A sandbox deposit is final two blocks deep: a payment in the newest block is not. */
const CONFIRMATIONS = 2
/** More than the deepest reorganisation. */
const FIRST_BLOCKS = 70
const SECOND = 1_000

let app: TestApp
let till: Till
let chain: FakeChain
let reader: TestReader

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-03-01T12:00:00.000Z') })
  till = openTill(app, await openShop(app, await app.signUp()))
  chain = createFakeChain({ chainId: 31_337, startTime: app.clock.now.getTime() / SECOND, hasFinality: false })
  mine(FIRST_BLOCKS)
  const fetch = nodeOf(chain)
  reader = await testReader({ ...app.ctx, connect: (node) => connect({ ...node, fetch }) }, 'ETH')
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
    till.pass(SECOND)
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

const stateOf = async (ref: string) => (await till.show(ref)).paymentState
const held = () => balanceOf(app, 'project:balance', ASSET.USDC_ON_ETH)

describe('a reorganisation', () => {
  it.each(DEPTHS)(
    'of depth %i takes back what was in it, tells the shop, and settles what is mined again',
    async (depth) => {
      const before = await held()
      const [open, confirming] = [await till.newPayment(), await till.newPayment()]
      const settled = depth < CONFIRMATIONS ? null : await till.newPayment()
      const [first, last] = [settled && transferTo(settled.to), transferTo(confirming.to)]
      if (first) mine(depth - 1, [first])
      mine(1, [last])
      await read()
      expect(settled && (await stateOf(settled.ref))).toBe(settled && 'FILLED')
      expect(await till.show(confirming.ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'detected' })

      expect(chain.leave(depth)).toHaveLength(depth)
      mine(depth)
      await read()
      expect(settled && (await stateOf(settled.ref))).toBe(settled && 'OPEN')
      expect(await till.show(confirming.ref)).toMatchObject({ paymentState: 'OPEN', filledAmount: '0' })
      expect(await held()).toBe(before)

      mine(CONFIRMATIONS, [...(first ? [first] : []), last])
      await read()
      expect(settled && (await stateOf(settled.ref))).toBe(settled && 'FILLED')
      expect(await stateOf(confirming.ref)).toBe('FILLED')
      expect(await stateOf(open.ref)).toBe('OPEN')
      expect(await till.told(confirming.ref)).toEqual(['payment.detected', 'payment.detected', 'payment.filled'])
      expect(settled && (await till.told(settled.ref))).toEqual(
        settled && ['payment.detected', 'payment.filled', 'payment.reopened', 'payment.detected', 'payment.filled'],
      )
      expect(await till.told(open.ref)).toEqual([])
    },
  )
})
