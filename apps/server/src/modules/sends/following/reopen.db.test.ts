import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Context, StoredEvent } from '../../../context.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { fillHotWallet, hotWallet, type TestHotWallet } from '../../../testing/hot-wallet.ts'
import { type Mortal, mortal } from '../../../testing/mortal.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { post, reverse, verify } from '../../ledger/service.ts'
import { sendsInvariants } from '../record/invariants.ts'
import { readSendMoved, type SendMoved, type StartSend, startSend } from '../service.ts'
import { newMemory, type PassMemory } from './following.ts'
import { followSends } from './follow-sends.ts'

const [CHAIN, USDC] = [1, 7]
const MAX_FEE = parseEther('0.01')
const PAID = 5_000_000n

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

describe('sends.outage', () => {
  it('decides what was mined while nobody looked, in a block that is stored no more', async () => {
    let sendId = 0n
    await whileNotMining(async () => {
      sendId = await started()
      await follow()
      const code = await anvil.call('eth_getCode', SANDBOX_TOKENS.usdc, 'latest')
      await anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, '0x60006000fd')
      await anvil.mine()
      await anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, code)
    })
    // A block with a deposit is kept for ever, and this one is older.
    await sql`
      UPDATE chain_blocks SET transfers = 1 WHERE blockchain_id = ${CHAIN}
        AND height = (SELECT min(height) FROM chain_blocks WHERE blockchain_id = ${CHAIN})`.execute(test.ctx.db)
    await anvil.call('anvil_mine', numberToHex(300))
    await reader.catchUp()
    await settle()
    expect(await stateOf(sendId)).toEqual({ state: 'failed', attempts: 1, failure_code: 'reverted' })
    await booksHold()
  })
})

describe('sends.reopen', () => {
  /** The chain leaves the block that decided a send, with whatever it did. */
  const leaveBlockOf = async (sendId: bigint) => {
    const { rows } = await sql<{ height: bigint }>`
      SELECT decided_height AS height FROM sends WHERE id = ${sendId}`.execute(test.ctx.db)
    const depth = (await anvil.height()) - Number(rows[0]?.height) + 1
    await anvil.call('anvil_reorg', depth, [])
    await anvil.mine()
    await reader.catchUp()
  }

  it('takes a processed send back with its block, and decides it again from the same bytes', async () => {
    await anvil.call('evm_setAutomine', false)
    const sendId = await started()
    await follow()
    await anvil.call('evm_setAutomine', true)
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

  it('takes back what cost nothing, as a transaction whose bytes TRON gives for free', async () => {
    process.answer = async ({ method }, next) => {
      const answer = await next()
      const isFree = method === 'eth_getTransactionReceipt' || method === 'eth_getBlockReceipts'
      if (!isFree) return answer
      const text = JSON.stringify(answer).replaceAll(/"effectiveGasPrice":"\w+"/g, '"effectiveGasPrice":"0x0"')
      return JSON.parse(text) as unknown
    }
    const sendId = await started()
    await settle()
    expect(heard.at(-1)).toMatchObject({ state: 'processed', feeUnits: 0n })
    await leaveBlockOf(sendId)
    expect(await stateOf(sendId)).toMatchObject({ state: 'sent' })
    await booksHold()
    await settle()
    expect(states()).toEqual(['sent', 'processed', 'reopened', 'processed'])
    expect(await received()).toBe(PAID)
    await booksHold()
  })
})
