import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'

import { PAID, senderOfTests } from '../../../testing/money-out/sender.ts'

const CHAIN = 1
const { sender, started, follow, settle, received, stateOf, booksHold, states, whileNotMining } = senderOfTests()

describe('sends.outage', () => {
  it('decides a send that was mined during an outage, in a block that is no longer stored', async () => {
    let sendId = 0n
    await whileNotMining(async () => {
      sendId = await started()
      await follow()
      const code = await sender.anvil.call('eth_getCode', SANDBOX_TOKENS.usdc, 'latest')
      await sender.anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, '0x60006000fd')
      await sender.anvil.mine()
      await sender.anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, code)
    })
    // A block with a deposit is always kept, and this one is older.
    await sql`
      UPDATE chain_blocks SET transfers = 1 WHERE blockchain_id = ${CHAIN}
        AND height = (SELECT min(height) FROM chain_blocks WHERE blockchain_id = ${CHAIN})`.execute(sender.test.ctx.db)
    await sender.anvil.call('anvil_mine', numberToHex(300))
    await sender.reader.catchUp()
    await settle()
    expect(await stateOf(sendId)).toEqual({ state: 'failed', attempts: 1, failure_code: 'reverted' })
    await booksHold()
  })
})

describe('sends.reopen', () => {
  /** The chain leaves the block that decided a send, with whatever it did. */
  const leaveBlockOf = async (sendId: bigint) => {
    const { rows } = await sql<{ height: bigint }>`
      SELECT decided_height AS height FROM sends WHERE id = ${sendId}`.execute(sender.test.ctx.db)
    const depth = (await sender.anvil.height()) - Number(rows[0]?.height) + 1
    await sender.anvil.call('anvil_reorg', depth, [])
    await sender.anvil.mine()
    await sender.reader.catchUp()
  }

  it('reopens a processed send with its block, and decides it again from the same bytes', async () => {
    await sender.anvil.call('evm_setAutomine', false)
    const sendId = await started()
    await follow()
    await sender.anvil.call('evm_setAutomine', true)
    await settle()
    expect(await stateOf(sendId)).toMatchObject({ state: 'processed' })
    await leaveBlockOf(sendId)
    expect(await stateOf(sendId)).toMatchObject({ state: 'sent', attempts: 1 })
    expect(states()).toEqual(['sent', 'processed', 'reopened'])
    expect(await received()).toBe(0n)
    await booksHold()
    await settle()
    expect(states()).toEqual(['sent', 'processed', 'reopened', 'processed'])
    expect(await stateOf(sendId)).toMatchObject({ state: 'processed', attempts: 1 })
    expect(await received()).toBe(PAID)
    await booksHold()
  })

  it('reverses a free transaction, whose bytes TRON does not charge', async () => {
    sender.process.answer = async ({ method }, next) => {
      const answer = await next()
      const isFree = method === 'eth_getTransactionReceipt' || method === 'eth_getBlockReceipts'
      if (!isFree) return answer
      const text = JSON.stringify(answer).replaceAll(/"effectiveGasPrice":"\w+"/g, '"effectiveGasPrice":"0x0"')
      return JSON.parse(text) as unknown
    }
    const sendId = await started()
    await settle()
    expect(sender.heard.at(-1)).toMatchObject({ state: 'processed', feeUnits: 0n })
    await leaveBlockOf(sendId)
    expect(await stateOf(sendId)).toMatchObject({ state: 'sent' })
    await booksHold()
    await settle()
    expect(states()).toEqual(['sent', 'processed', 'reopened', 'processed'])
    expect(await received()).toBe(PAID)
    await booksHold()
  })
})
