import { RetryableRpcError } from '@kassa/chains/errors.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { numberToHex, parseEther } from 'viem'
import { describe, expect, it } from 'vitest'

import { type KillScenario, killAtEachStep } from '../../../testing/crashes/kill-at-each-step.ts'
import { bookFloat, fillHotWallet, hotWallet } from '../../../testing/money-out/hot-wallet.ts'
import type { KillableProcess } from '../../../testing/crashes/killable-process.ts'
import { PAID, senderOfTests } from '../../../testing/money-out/sender.ts'
import { openAlarms } from '../../alarms/service.ts'
import { unlockHotWallet, raiseCeiling } from '../service.ts'
import { newMemory } from './following.ts'

const CHAIN = 1
const MINUTE = 60_000
const MAX_FEE = parseEther('0.01')
const { sender, begin, start, started, follow, rounds, settle, received, stateOf, booksHold, states, whileNotMining } =
  senderOfTests()

const payElsewhere = async (nonce: number, value = 6n) =>
  sender.anvil.call(
    'eth_sendRawTransaction',
    await sender.wallet.account.signTransaction({
      ...{ type: 'eip1559', chainId: 31_337, nonce, to: sender.receiver, value, gas: 21_000n },
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
    expect(sender.heard[1]?.feeUnits).toBeGreaterThan(0n)
    expect(await received()).toBe(PAID)
    await booksHold()
  })

  it('pays once, wherever the process dies, and loses nothing (D-3)', { timeout: 3_600_000 }, async () => {
    const scenario: KillScenario = {
      ...{ ctx: sender.test.ctx, runs: 1_000 },
      // Every pass looks at each wallet: with a new wallet for each run the awaits would never end.
      prepare: async () => {
        if (sender.payouts % 100n === 99n) await begin()
        sender.receiver = `0xc${(sender.payouts + 1n).toString(16).padStart(39, '0')}`
      },
      work: (ctx) => start({}, ctx).then(() => settle(ctx)),
      resume: async () => {
        sender.memory = newMemory()
        const { rows } = await sql`SELECT FROM send_items WHERE withdrawal_id = ${sender.payouts}`.execute(
          sender.test.ctx.db,
        )
        if (rows.length > 0) await settle(sender.test.ctx)
        expect(await received()).toBe(rows.length > 0 ? PAID : 0n)
        await booksHold()
      },
    }
    expect(await killAtEachStep(scenario)).toBeGreaterThan(10)
  })

  it('takes a node that is silent after it took the bytes, or knows them, for one that has them', async () => {
    const sendId = await started()
    sender.process.answer = async (call, next) => {
      const answer = await next()
      if (call.method === 'eth_sendRawTransaction') throw new RetryableRpcError('timeout', 'late')
      return answer
    }
    await whileNotMining(() => follow())
    expect(await stateOf(sendId)).toMatchObject({ state: 'sent' })
    sender.process.answer = null
    await settle()
    expect(await received()).toBe(PAID)
  })

  it('D-2 raises the fee under the same sequence, and at most one attempt is mined', async () => {
    let sendId = 0n
    await whileNotMining(async () => {
      sendId = await started()
      await follow()
      sender.clock += 4 * MINUTE
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
        sender.clock += 4 * MINUTE
        await follow()
      }
      const { attempts = 0 } = (await stateOf(sendId)) ?? {}
      const subject = `ETH wallet ${sender.wallet.walletId}`
      expect(await openAlarms(sender.test.ctx)).toContainEqual(expect.objectContaining({ kind: 'send_stuck', subject }))
      expect(await raiseCeiling(sender.test.ctx, { sendId, maxFee: parseEther('11') })).toBe('short')
      expect(await raiseCeiling(sender.test.ctx, { sendId, maxFee: MAX_FEE })).toBe('raised')
      expect(await raiseCeiling(sender.test.ctx, { sendId, maxFee: MAX_FEE })).toBe('unchanged')
      await booksHold()
      sender.clock += 4 * MINUTE
      await follow()
      expect((await stateOf(sendId))?.attempts).toBe(attempts + 1)
      expect(await openAlarms(sender.test.ctx)).not.toContainEqual(expect.objectContaining({ subject }))
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
      const code = await sender.anvil.call('eth_getCode', SANDBOX_TOKENS.usdc, 'latest')
      await sender.anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, '0x60006000fd')
      await sender.anvil.mine()
      await sender.anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, code)
    })
    await settle()
    expect(await stateOf(sendId)).toEqual({ state: 'failed', attempts: 1, failure_code: 'reverted' })
    expect(sender.heard.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'reverted' } })
    await booksHold()
  })
})

describe('sends.decide', () => {
  it('decides the others while the ledger cannot book what one cost, and that one once it can', async () => {
    const sendId = await started()
    const other = await hotWallet(sender.test.ctx)
    await fillHotWallet(sender.test.ctx, sender.anvil, other)
    const otherId = await started({ walletId: other.walletId })
    const costly = (one: { from: string }) =>
      one.from === sender.wallet.address.toLowerCase() ? { ...one, l1Fee: numberToHex(parseEther('10')) } : one
    sender.process.answer = async (call, next) => {
      const answer = (await next()) as { from: string } | { from: string }[] | null
      if (!/Receipts?$/.test(call.method) || answer === null) return answer
      return Array.isArray(answer) ? answer.map(costly) : costly(answer)
    }
    const unbooked = expect.objectContaining({ kind: 'send_unbooked', subject: `ETH send ${sendId}` })
    await rounds(4)
    expect([(await stateOf(otherId))?.state, (await stateOf(sendId))?.state]).toEqual(['processed', 'sent'])
    expect(await openAlarms(sender.test.ctx)).toContainEqual(unbooked)
    await bookFloat(sender.test.ctx, sender.wallet.walletId, { [CHAIN]: parseEther('1') })
    sender.clock += MINUTE
    await settle()
    expect(await stateOf(sendId)).toMatchObject({ state: 'processed' })
    expect(await openAlarms(sender.test.ctx)).not.toContainEqual(unbooked)
    await booksHold()
  })
})

describe('sends.proofs', () => {
  it('D-4 fails a send only when another transaction has its sequence in a final block, and locks the wallet', async () => {
    const sendId = await started()
    await payElsewhere(0)
    await sender.reader.catchUp()
    await follow()
    expect(await stateOf(sendId)).toMatchObject({ state: 'initiated' })
    await settle()
    expect(await stateOf(sendId)).toMatchObject({ state: 'failed', failure_code: 'replaced' })
    expect(sender.heard.map(({ state, feeUnits }) => [state, feeUnits])).toEqual([['failed', 0n]])
    expect(await start()).toEqual({ kind: 'waits', why: { code: 'wallet_locked' } })
    await booksHold()
    expect(await unlockHotWallet(sender.test.ctx, { walletId: sender.wallet.walletId, blockchainId: CHAIN })).toBe(true)
    expect((await start()).kind).toBe('started')
    await settle()
    expect(await received()).toBe(PAID)
  })

  it.each<[string, KillableProcess['answer']]>([
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
      'that it was undone, to every call',
      async (call, next) => {
        const answer = await next()
        const undone = (one: object) => ({ ...one, status: '0x0', logs: [], logsBloom: `0x${'0'.repeat(512)}` })
        if (call.method === 'eth_getTransactionReceipt' && answer !== null) return undone(answer as object)
        return call.method === 'eth_getBlockReceipts' ? (answer as object[]).map(undone) : answer
      },
    ],
  ])('D-4 does not fail a send because a node says %s', async (_, answer) => {
    const sendId = await started()
    sender.process.answer = answer
    await rounds(4)
    expect((await stateOf(sendId))?.state).not.toBe('failed')
    sender.process.answer = null
    await settle()
    expect(await stateOf(sendId)).toMatchObject({ state: 'processed' })
    expect(await received()).toBe(PAID)
    await booksHold()
  })

  it('takes an attempt that the database has forgotten for its own', async () => {
    const sendId = await started()
    await whileNotMining(async () => {
      await follow()
      sender.clock += 4 * MINUTE
      await follow()
      await follow()
      await sql`DELETE FROM movement_intents WHERE send_id = ${sendId}`.execute(sender.test.ctx.db)
      await sql`DELETE FROM send_attempts WHERE send_id = ${sendId} AND n = 2`.execute(sender.test.ctx.db)
    })
    await settle()
    expect(await stateOf(sendId)).toEqual({ state: 'processed', attempts: 2, failure_code: null })
    expect(await received()).toBe(PAID)
  })

  it('D-9 locks a wallet at the start when its sends are behind the chain', async () => {
    await started()
    await settle()
    await payElsewhere(1)
    sender.memory = newMemory()
    await follow()
    expect(await openAlarms(sender.test.ctx)).toContainEqual(
      expect.objectContaining({
        kind: 'hot_wallet_locked',
        params: { case: 'behind', walletID: sender.wallet.walletId, blockchainCode: 'ETH', expected: '1', found: '2' },
      }),
    )
    expect(await start()).toEqual({ kind: 'waits', why: { code: 'wallet_locked' } })
  })
})
