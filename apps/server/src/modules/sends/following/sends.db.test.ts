import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Context, StoredEvent } from '../../../context.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type Deaths, dieInTurn } from '../../../testing/deaths.ts'
import { bookFloat, fillHotWallet, hotWallet, type TestHotWallet } from '../../../testing/hot-wallet.ts'
import { type Mortal, mortal } from '../../../testing/mortal.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'
import { openAlarms } from '../../alarms/service.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { post, reverse, verify } from '../../ledger/service.ts'
import { sendsInvariants } from '../record/invariants.ts'
import { unlockHotWallet, raiseCeiling, readSendMoved, type SendMoved, type StartSend, startSend } from '../service.ts'
import { newMemory, type PassMemory } from './following.ts'
import { followSends } from './follow-sends.ts'

const [CHAIN, USDC] = [1, 7]
const MAX_FEE = parseEther('0.01')
const [PAID, MINUTE] = [5_000_000n, 60_000]

let test: TestContext
let anvil: AnvilChain
let reader: TestReader
let wallet: TestHotWallet
let process: Mortal
let memory: PassMemory
let receiver: Hex
let payouts = 0n
let clock = 0
const heard: SendMoved[] = []

/** A business row of the test's own: its money is held when it starts, and moves with the send. */
async function moveBusiness(tx: Context, event: StoredEvent): Promise<void> {
  const moved = readSendMoved(event)
  heard.push(moved)
  const { sendId, state } = moved
  const { rows } = await sql<{ wallet_id: number; asset_id: number; units: string; decisions: number }>`
    SELECT wallet_id, asset_id, units, decisions FROM sends WHERE id = ${sendId}`.execute(tx.db)
  const [send] = rows
  if (!send) throw new Error('There is no such send')
  const entry = { projectId: null, at: null, posting: `payout.${state}` }
  if (state === 'reopened') await reverse(tx, [`test-payout-settle:${sendId}:`])
  if (state !== 'processed') return
  const unitId = send.asset_id
  const debit = { kind: 'project:balance', owner: 'project:1', unitId } as const
  const credit = { kind: 'chain:hot-held', owner: `wallet:${send.wallet_id}`, unitId } as const
  const lines = [{ debit, credit, units: BigInt(send.units) }]
  await post(tx, [{ ...entry, source: `test-payout-settle:${sendId}:settle:${send.decisions}`, lines }])
}

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([
    testContext({ now: () => new Date(Date.now() + clock), subscribers: [{ to: 'send.moved', run: moveBusiness }] }),
    openAnvilChain(),
  ])
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.node.label)
  reader = await testReader(test.ctx, 'ETH')
  await reader.catchUp()
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await test.stop()
})
beforeEach(begin)
async function begin(): Promise<void> {
  wallet = await hotWallet(test.ctx)
  await fillHotWallet(test.ctx, anvil, wallet)
  process = mortal(test.ctx)
  memory = newMemory()
  receiver = `0x${(payouts + 1n).toString(16).padStart(40, 'b')}`
  heard.length = 0
}

const start = (over: Partial<StartSend> = {}, ctx = process.ctx) => {
  payouts += 1n
  return startSend(ctx, {
    walletId: wallet.walletId,
    blockchainId: CHAIN,
    purpose: 'payout',
    projectId: null,
    intent: { kind: 'transfer', assetId: USDC, to: receiver, units: PAID },
    maxFee: MAX_FEE,
    item: { withdrawalId: payouts },
    within: async () => true,
    ...over,
  })
}

async function started(over: Partial<StartSend> = {}): Promise<bigint> {
  const result = await start(over)
  if (result.kind !== 'started') throw new Error(JSON.stringify(result, (_, one: unknown) => String(one)))
  return result.send.sendId
}

/** One round of the loop; what a node fails to say is asked again in the next. */
async function follow(ctx = process.ctx): Promise<void> {
  clock += 1_000
  await followSends(ctx, CHAIN, memory)
}

/** So many rounds, with a block each. */
async function rounds(count: number, ctx = process.ctx): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await follow(ctx)
    await anvil.mine()
    await reader.catchUp()
  }
}

/** Rounds until every send of the wallet is decided. */
async function settle(ctx = process.ctx): Promise<void> {
  for (let at = 0; at < 12; at += 1) {
    await rounds(1, ctx)
    const { rows } = await sql`
      SELECT FROM sends WHERE wallet_id = ${wallet.walletId} AND decided_at IS NULL`.execute(test.ctx.db)
    if (rows.length === 0) return
  }
  throw new Error('It is not decided')
}

async function received(): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [receiver] })
  const answer = (await anvil.call('eth_call', { to: SANDBOX_TOKENS.usdc, data }, 'latest')) as Hex
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: answer })
}

async function stateOf(sendId: bigint) {
  const { rows } = await sql<{ state: string; attempts: number; failure_code: string | null }>`
    SELECT state, failure_code, (SELECT count(*)::int FROM send_attempts WHERE send_id = id) AS attempts
    FROM sends WHERE id = ${sendId}`.execute(test.ctx.db)
  return rows[0]
}
const booksHold = async () => expect(await verify(test.ctx, sendsInvariants)).toEqual([])
const states = () => heard.map(({ state }) => state)
const whileNotMining = async (work: () => Promise<void>) => {
  await anvil.call('evm_setAutomine', false)
  try {
    await work()
  } finally {
    await anvil.call('evm_setAutomine', true)
  }
}
const payElsewhere = async (nonce: number, value = 6n) =>
  anvil.call(
    'eth_sendRawTransaction',
    await wallet.account.signTransaction({
      ...{ type: 'eip1559', chainId: 31_337, nonce, to: receiver, value, gas: 21_000n },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 10n },
    }),
  )

describe('sends.follow', () => {
  it('broadcasts, watches and decides a send, and the ledger follows (D-5)', async () => {
    const sendId = await started()
    await booksHold()
    await follow()
    expect(await stateOf(sendId)).toMatchObject({ state: 'sent' })
    await settle()
    expect(await stateOf(sendId)).toEqual({ state: 'processed', attempts: 1, failure_code: null })
    expect(states()).toEqual(['sent', 'processed'])
    expect(heard[1]?.feeUnits).toBeGreaterThan(0n)
    expect(await received()).toBe(PAID)
    await booksHold()
  })

  it('pays once, wherever the process dies, and loses nothing (D-3)', { timeout: 3_600_000 }, async () => {
    const work: Deaths = {
      ...{ ctx: test.ctx, lives: 1_000 },
      // A wallet for each life would be one more that every pass looks at: the awaits would never end.
      prepare: async () => {
        if (payouts % 100n === 99n) await begin()
        receiver = `0xc${(payouts + 1n).toString(16).padStart(39, '0')}`
      },
      live: (ctx) => start({}, ctx).then(() => settle(ctx)),
      carryOn: async () => {
        memory = newMemory()
        const { rows } = await sql`SELECT FROM send_items WHERE withdrawal_id = ${payouts}`.execute(test.ctx.db)
        if (rows.length > 0) await settle(test.ctx)
        expect(await received()).toBe(rows.length > 0 ? PAID : 0n)
        await booksHold()
      },
    }
    expect(await dieInTurn(work)).toBeGreaterThan(10)
  })

  it('takes a node that is silent after it took the bytes, or knows them, for one that has them', async () => {
    const sendId = await started()
    process.answer = async (call, next) => {
      const answer = await next()
      if (call.method === 'eth_sendRawTransaction') throw new RetryableRpcError('timeout', 'late')
      return answer
    }
    await whileNotMining(() => follow())
    expect(await stateOf(sendId)).toMatchObject({ state: 'sent' })
    process.answer = null
    await settle()
    expect(await received()).toBe(PAID)
  })

  it('D-2 raises the fee under the same sequence, and at most one attempt is mined', async () => {
    let sendId = 0n
    await whileNotMining(async () => {
      sendId = await started()
      await follow()
      clock += 4 * MINUTE
      await follow()
      expect(await stateOf(sendId)).toMatchObject({ state: 'sent', attempts: 2 })
      await follow()
    })
    await settle()
    expect(await stateOf(sendId)).toMatchObject({ state: 'processed', attempts: 2 })
    expect(await received()).toBe(PAID)
    await booksHold()
  })

  it('asks a person once the fee is at its ceiling, and goes on when that is raised', async () => {
    let sendId = 0n
    await whileNotMining(async () => {
      sendId = await started({ maxFee: parseEther('0.00025') })
      await follow()
      for (let at = 0; at < 12; at += 1) {
        clock += 4 * MINUTE
        await follow()
      }
      const { attempts = 0 } = (await stateOf(sendId)) ?? {}
      const subject = `ETH wallet ${wallet.walletId}`
      expect(await openAlarms(test.ctx)).toContainEqual(expect.objectContaining({ kind: 'send_stuck', subject }))
      expect(await raiseCeiling(test.ctx, { sendId, maxFee: parseEther('11') })).toBe('short')
      expect(await raiseCeiling(test.ctx, { sendId, maxFee: MAX_FEE })).toBe('raised')
      expect(await raiseCeiling(test.ctx, { sendId, maxFee: MAX_FEE })).toBe('unchanged')
      await booksHold()
      clock += 4 * MINUTE
      await follow()
      expect((await stateOf(sendId))?.attempts).toBe(attempts + 1)
      expect(await openAlarms(test.ctx)).not.toContainEqual(expect.objectContaining({ subject }))
    })
    await settle()
    expect(await received()).toBe(PAID)
  })

  it('fails what the chain undid, with what it cost, and releases the rest', async () => {
    let sendId = 0n
    await whileNotMining(async () => {
      sendId = await started()
      await follow()
      // The token refuses from now on, until the block is made.
      const code = await anvil.call('eth_getCode', SANDBOX_TOKENS.usdc, 'latest')
      await anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, '0x60006000fd')
      await anvil.mine()
      await anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, code)
    })
    await settle()
    expect(await stateOf(sendId)).toEqual({ state: 'failed', attempts: 1, failure_code: 'reverted' })
    expect(heard.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'reverted' } })
    await booksHold()
  })
})

describe('sends.decide', () => {
  it('decides the others while the ledger cannot book what one cost, and that one once it can', async () => {
    const sendId = await started()
    const other = await hotWallet(test.ctx)
    await fillHotWallet(test.ctx, anvil, other)
    const otherId = await started({ walletId: other.walletId })
    const costly = (one: { from: string }) =>
      one.from === wallet.address.toLowerCase() ? { ...one, l1Fee: numberToHex(parseEther('10')) } : one
    process.answer = async (call, next) => {
      const answer = (await next()) as { from: string } | { from: string }[] | null
      if (!/Receipts?$/.test(call.method) || answer === null) return answer
      return Array.isArray(answer) ? answer.map(costly) : costly(answer)
    }
    const unbooked = expect.objectContaining({ kind: 'send_unbooked', subject: `ETH send ${sendId}` })
    await rounds(4)
    expect([(await stateOf(otherId))?.state, (await stateOf(sendId))?.state]).toEqual(['processed', 'sent'])
    expect(await openAlarms(test.ctx)).toContainEqual(unbooked)
    await bookFloat(test.ctx, wallet.walletId, { [CHAIN]: parseEther('1') })
    clock += MINUTE
    await settle()
    expect(await stateOf(sendId)).toMatchObject({ state: 'processed' })
    expect(await openAlarms(test.ctx)).not.toContainEqual(unbooked)
    await booksHold()
  })
})

describe('sends.proofs', () => {
  it('D-4 fails a send only when another transaction has its sequence in a final block, and locks the wallet', async () => {
    const sendId = await started()
    await payElsewhere(0)
    await reader.catchUp()
    await follow()
    expect(await stateOf(sendId)).toMatchObject({ state: 'initiated' })
    await settle()
    expect(await stateOf(sendId)).toMatchObject({ state: 'failed', failure_code: 'replaced' })
    expect(heard.map(({ state, feeUnits }) => [state, feeUnits])).toEqual([['failed', 0n]])
    expect(await start()).toEqual({ kind: 'waits', why: { code: 'wallet_locked' } })
    await booksHold()
    expect(await unlockHotWallet(test.ctx, { walletId: wallet.walletId, blockchainId: CHAIN })).toBe(true)
    expect((await start()).kind).toBe('started')
    await settle()
    expect(await received()).toBe(PAID)
  })

  it.each<[string, Mortal['answer']]>([
    ['that the nonce is used', async (call, next) => (call.method === 'eth_getTransactionCount' ? '0xff' : next())],
    [
      'nothing of the transaction',
      async (call, next) => (/^eth_getTransaction(Receipt|ByHash)$/.test(call.method) ? null : next()),
    ],
    [
      'that the transaction was undone',
      async (call, next) => {
        const answer = await next()
        const isReceipt = call.method === 'eth_getTransactionReceipt' && answer !== null
        return isReceipt ? { ...(answer as object), status: '0x0', logs: [] } : answer
      },
    ],
    [
      'that it was undone, wherever it is asked',
      async (call, next) => {
        const answer = await next()
        const undone = (one: object) => ({ ...one, status: '0x0', logs: [], logsBloom: `0x${'0'.repeat(512)}` })
        if (call.method === 'eth_getTransactionReceipt' && answer !== null) return undone(answer as object)
        return call.method === 'eth_getBlockReceipts' ? (answer as object[]).map(undone) : answer
      },
    ],
  ])('D-4 does not fail a send because a node says %s', async (_, answer) => {
    const sendId = await started()
    process.answer = answer
    await rounds(4)
    expect((await stateOf(sendId))?.state).not.toBe('failed')
    process.answer = null
    await settle()
    expect(await stateOf(sendId)).toMatchObject({ state: 'processed' })
    expect(await received()).toBe(PAID)
    await booksHold()
  })

  it('takes an attempt that the database has forgotten for its own', async () => {
    const sendId = await started()
    await whileNotMining(async () => {
      await follow()
      clock += 4 * MINUTE
      await follow()
      await follow()
      await sql`DELETE FROM movement_intents WHERE send_id = ${sendId}`.execute(test.ctx.db)
      await sql`DELETE FROM send_attempts WHERE send_id = ${sendId} AND n = 2`.execute(test.ctx.db)
    })
    await settle()
    expect(await stateOf(sendId)).toEqual({ state: 'processed', attempts: 2, failure_code: null })
    expect(await received()).toBe(PAID)
  })

  it('D-9 locks a wallet at the start when its sends are behind the chain', async () => {
    await started()
    await settle()
    await payElsewhere(1)
    memory = newMemory()
    await follow()
    expect(await openAlarms(test.ctx)).toContainEqual(
      expect.objectContaining({
        kind: 'hot_wallet_locked',
        params: { case: 'behind', walletID: wallet.walletId, blockchainCode: 'ETH', expected: '1', found: '2' },
      }),
    )
    expect(await start()).toEqual({ kind: 'waits', why: { code: 'wallet_locked' } })
  })
})
