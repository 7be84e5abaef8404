/** The role sender on a local chain, whose payouts are the tests' own. */
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'

import type { Context, StoredEvent } from '../../context.ts'
import { seedBlockchains } from '../../modules/blockchains/chains/service.ts'
import { setSandboxNode } from '../../modules/blockchains/nodes/service.ts'
import { post, reverse, verify } from '../../modules/ledger/service.ts'
import { followSends } from '../../modules/sends/following/follow-sends.ts'
import { newMemory, type PassMemory } from '../../modules/sends/following/following.ts'
import { sendsInvariants } from '../../modules/sends/record/invariants.ts'
import {
  readSendMoved,
  type SendMoved,
  type StartResult,
  type StartSend,
  startSend,
} from '../../modules/sends/service.ts'
import { type TestContext, testContext } from '../context.ts'
import { fillHotWallet, hotWallet, type TestHotWallet } from './hot-wallet.ts'
import { type KillableProcess, killable } from '../crashes/killable-process.ts'
import { type TestReader, testReader } from '../test-follower.ts'

const [CHAIN, USDC] = [1, 7]
const MAX_FEE = parseEther('0.01')

/** What each payout of a sender asks for. */
export const PAID = 5_000_000n

/** What a file's tests share, and may change. */
export type Sender = {
  test: TestContext
  anvil: AnvilChain
  reader: TestReader
  wallet: TestHotWallet
  process: KillableProcess
  memory: PassMemory
  receiver: Hex
  payouts: bigint
  /** How far the clock is ahead, in milliseconds. */
  clock: number
  readonly heard: SendMoved[]
}

/** Opens a sender before the tests of a file and ends it after them; each test begins with a wallet and a process of its own. */
export function senderOfTests() {
  // Filled before the first test.
  const sender = { payouts: 0n, clock: 0, heard: [] } as unknown as Sender
  beforeAll(() => openSender(sender), 60_000)
  afterAll(async () => {
    await sender.anvil.stop()
    await sender.test.stop()
  })
  beforeEach(() => begin(sender))
  const start = (over: Partial<StartSend> = {}, ctx = sender.process.ctx) => startPayout(sender, over, ctx)
  return {
    sender,
    begin: () => begin(sender),
    start,
    started: async (over: Partial<StartSend> = {}): Promise<bigint> => {
      const result = await start(over)
      if (result.kind !== 'started') throw new Error(JSON.stringify(result, (_, one: unknown) => String(one)))
      return result.send.sendId
    },
    /** One round of the loop; what a node fails to say is asked again in the next. */
    follow: (ctx = sender.process.ctx) => follow(sender, ctx),
    /** So many rounds, with a block each. */
    rounds: (count: number, ctx = sender.process.ctx) => rounds(sender, count, ctx),
    /** Rounds until every send of the wallet is decided. */
    settle: (ctx = sender.process.ctx) => settle(sender, ctx),
    received: () => received(sender),
    stateOf: (sendId: bigint) => stateOf(sender.test.ctx, sendId),
    booksHold: async () => expect(await verify(sender.test.ctx, sendsInvariants)).toEqual([]),
    states: () => sender.heard.map(({ state }) => state),
    whileNotMining: (work: () => Promise<void>) => whileNotMining(sender.anvil, work),
  }
}

async function openSender(sender: Sender): Promise<void> {
  const now = () => new Date(Date.now() + sender.clock)
  const run = (tx: Context, event: StoredEvent) => moveBusiness(sender, tx, event)
  const [test, anvil] = await Promise.all([
    testContext({ now, subscribers: [{ to: 'send.moved', run }] }),
    openAnvilChain(),
  ])
  Object.assign(sender, { test, anvil })
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.node.label)
  sender.reader = await testReader(test.ctx, 'ETH')
  await sender.reader.catchUp()
}

async function begin(sender: Sender): Promise<void> {
  const { test, anvil } = sender
  sender.wallet = await hotWallet(test.ctx)
  await fillHotWallet(test.ctx, anvil, sender.wallet)
  sender.process = killable(test.ctx)
  sender.memory = newMemory()
  sender.receiver = `0x${(sender.payouts + 1n).toString(16).padStart(40, 'b')}`
  sender.heard.length = 0
}

/** A business row of the test's own: its money is held when it starts, and moves with the send. */
async function moveBusiness({ heard }: Sender, tx: Context, event: StoredEvent): Promise<void> {
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

function startPayout(sender: Sender, over: Partial<StartSend>, ctx: Context): Promise<StartResult> {
  sender.payouts += 1n
  return startSend(ctx, {
    walletId: sender.wallet.walletId,
    blockchainId: CHAIN,
    purpose: 'payout',
    projectId: null,
    intent: { kind: 'transfer', assetId: USDC, to: sender.receiver, units: PAID },
    maxFee: MAX_FEE,
    item: { withdrawalId: sender.payouts },
    within: async () => true,
    ...over,
  })
}

async function follow(sender: Sender, ctx: Context): Promise<void> {
  sender.clock += 1_000
  await followSends(ctx, CHAIN, sender.memory)
}

async function rounds(sender: Sender, count: number, ctx: Context): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await follow(sender, ctx)
    await sender.anvil.mine()
    await sender.reader.catchUp()
  }
}

async function settle(sender: Sender, ctx: Context): Promise<void> {
  for (let at = 0; at < 12; at += 1) {
    await rounds(sender, 1, ctx)
    const { rows } = await sql`
      SELECT FROM sends WHERE wallet_id = ${sender.wallet.walletId} AND decided_at IS NULL`.execute(sender.test.ctx.db)
    if (rows.length === 0) return
  }
  throw new Error('It is not decided')
}

async function received({ anvil, receiver }: Sender): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [receiver] })
  const answer = (await anvil.call('eth_call', { to: SANDBOX_TOKENS.usdc, data }, 'latest')) as Hex
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: answer })
}

async function stateOf(ctx: Context, sendId: bigint) {
  const { rows } = await sql<{ state: string; attempts: number; failure_code: string | null }>`
    SELECT state, failure_code, (SELECT count(*)::int FROM send_attempts WHERE send_id = id) AS attempts
    FROM sends WHERE id = ${sendId}`.execute(ctx.db)
  return rows[0]
}

async function whileNotMining(anvil: AnvilChain, work: () => Promise<void>): Promise<void> {
  await anvil.call('evm_setAutomine', false)
  try {
    await work()
  } finally {
    await anvil.call('evm_setAutomine', true)
  }
}
