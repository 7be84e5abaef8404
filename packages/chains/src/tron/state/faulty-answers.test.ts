import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChainSession } from '../../adapter.ts'
import type { NodeCall } from '../../node/client.ts'
import { openTronChain, type TronChain } from '../../testing/tron-chain.ts'
import { tronAdapter } from '../adapter.ts'
import { estimateCall } from './constant-calls.ts'

const OURS = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const OWED = { kind: 'transfer', to: OURS, units: 1n } as const

let tron: TronChain
beforeAll(async () => {
  tron = await openTronChain()
})
afterAll(() => tron.stop())

type Change = (answer: Record<string, unknown>) => unknown

/** A session whose node answers one call otherwise. */
function sessionWith(name: string, change: Change): ChainSession {
  const { node, ...session } = tron.session()
  const call: typeof node.call = async (one: NodeCall, options) => {
    const answer = await node.call(one, options)
    return one.rpc === 'rest' && one.path === `/wallet/${name}` ? change(answer as Record<string, unknown>) : answer
  }
  return { ...session, node: { ...node, call } }
}

const retryable = { name: 'RetryableRpcError' }

describe('tron: a node that cannot answer', () => {
  const outOfTime = { code: 'OTHER_ERROR', message: Buffer.from('CPU timeout').toString('hex') }
  it.each([
    ['runs no call now', () => ({ result: outOfTime })],
    ['answers nothing', (answer) => ({ ...answer, constant_result: [''] })],
    ['answers more than a word', (answer) => ({ ...answer, constant_result: ['f'.repeat(128)] })],
    ['answers no hex', (answer) => ({ ...answer, constant_result: ['zz'] })],
  ] as [string, Change][])('is asked again for what an address holds: it %s', async (_, change) => {
    const session = sessionWith('triggerconstantcontract', change)
    const asks = [{ assetId: tron.assets.usdt, address: tron.payer.address }]
    await expect(tronAdapter.holdings.read(session, asks)).rejects.toMatchObject(retryable)
  })

  it('is quoted with what can be stored of a reason: no U+0000, no half of a character', async () => {
    const message = Buffer.from(`\0no ${'😀'.repeat(200)}`).toString('hex')
    const session = sessionWith('triggerconstantcontract', (answer) => ({ ...answer, result: { code: 'X', message } }))
    const { from, to } = { from: new Uint8Array(20), to: new Uint8Array(20) }
    const estimate = await estimateCall(session, { from, to, units: 0n, data: new Uint8Array() })
    expect(estimate).toMatchObject({ failure: expect.stringMatching(/^no 😀/u) })
    expect(JSON.stringify(estimate)).not.toMatch(/\\u/)
  })

  it('is asked again for prices that it leaves out: a call without energy is mined, burns its bytes and moves nothing', async () => {
    const session = sessionWith('getchainparameters', () => ({
      chainParameter: [{ key: 'getTransactionFee', value: 1_000 }],
    }))
    const intent = { ...OWED, assetId: tron.assets.usdt }
    const plan = tronAdapter.sender.plan(session, { from: tron.payer.address, intent, maxFee: 100_000_000n })
    await expect(plan).rejects.toMatchObject(retryable)
  })

  it('is asked again for the outcome of a transaction that it takes from another one', async () => {
    const txIds: string[] = []
    for (const assetId of [tron.assets.native, tron.assets.usdt]) {
      const session = tron.session()
      const plan = await tronAdapter.sender.plan(session, {
        from: tron.payer.address,
        intent: { ...OWED, assetId },
        maxFee: 100_000_000n,
      })
      if (plan.kind !== 'planned') throw new Error(plan.why.code)
      const signed = tronAdapter.sender.sign(tron.chain, plan.tx, tron.payer.key)
      await tronAdapter.sender.broadcast(session, signed)
      txIds.push(signed.txId)
    }
    await tron.local.mine(1)
    const [asked = '', other] = txIds
    const session = sessionWith('gettransactioninfobyid', (answer) => ({ ...answer, id: other }))
    await expect(tronAdapter.reader.transaction(session, asked)).rejects.toMatchObject(retryable)
  })
})
