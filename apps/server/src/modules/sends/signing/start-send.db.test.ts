import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { type Hex, parseEther, parseTransaction } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type TestContext, testContext } from '../../../testing/context.ts'
import { bookFloat, fillHotWallet, hotWallet, type TestHotWallet } from '../../../testing/money-out/hot-wallet.ts'
import { openAlarms } from '../../alarms/service.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { verify } from '../../ledger/service.ts'
import { sendsInvariants } from '../record/invariants.ts'
import { emitSendMoved } from '../record/send-moved.ts'
import {
  unlockHotWallet,
  readSendMoved,
  type SendItem,
  type SendMoved,
  type SendWait,
  type StartedSend,
  type StartResult,
  type StartSend,
  startSend,
} from '../service.ts'

const [CHAIN, ETH, USDC] = [1, 1, 7]
const RECEIVER: Hex = '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0'
const MAX_FEE = parseEther('0.01')

let test: TestContext
let anvil: AnvilChain
let wallet: TestHotWallet
let payouts = 0n
const heard: SendMoved[] = []

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([
    testContext({
      subscribers: [{ to: 'send.moved', run: async (_tx, event) => void heard.push(readSendMoved(event)) }],
    }),
    openAnvilChain(),
  ])
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.node.label)
}, 60_000)
afterAll(async () => {
  const broken = await verify(test.ctx, sendsInvariants)
  await anvil.stop()
  await test.stop()
  if (broken.length > 0) throw new Error(JSON.stringify(broken))
})
beforeEach(async () => {
  wallet = await hotWallet(test.ctx)
  await fillHotWallet(test.ctx, anvil, wallet)
})

const newPayout = () => (payouts += 1n)
const waits = (why: SendWait): StartResult => ({ kind: 'waits', why })
const start = (over: Partial<StartSend> = {}): Promise<StartResult> =>
  startSend(test.ctx, {
    walletId: wallet.walletId,
    blockchainId: CHAIN,
    purpose: 'payout',
    projectId: null,
    intent: { kind: 'transfer', assetId: USDC, to: RECEIVER, units: 5_000_000n },
    maxFee: MAX_FEE,
    item: { withdrawalId: newPayout() },
    within: async () => true,
    ...over,
  })

type Row = { id: bigint; sequence: string; state: string; raw: Buffer; tx_id: string; intent: string }
async function stored(of = wallet): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT send.id, send.sequence, send.state, attempt.raw, attempt.tx_id, intent.kind AS intent FROM sends AS send
    JOIN send_attempts AS attempt ON attempt.send_id = send.id
    LEFT JOIN movement_intents AS intent ON intent.tx_id = attempt.tx_id AND intent.send_id = send.id
    WHERE send.wallet_id = ${of.walletId} ORDER BY send.sequence, n`.execute(test.ctx.db)
  return rows
}

async function held(kind: string, unit: number): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT debits - credits AS units FROM accounts
    WHERE kind = ${kind} AND unit_id = ${unit} AND owner_key = ${`wallet:${wallet.walletId}`}`.execute(test.ctx.db)
  return BigInt(rows[0]?.units ?? 0)
}

describe('sends.start', () => {
  it('stores signed bytes, the intent and the reserve in one transaction, and sends nothing', async () => {
    const before = await anvil.height()
    const result = await start()
    expect(result.kind).toBe('started')
    const [row, ...more] = await stored()
    expect(more).toEqual([])
    expect(row).toMatchObject({ sequence: '0', state: 'initiated', intent: 'payout' })
    const signed = parseTransaction(`0x${row?.raw.toString('hex') ?? ''}` as `0x02${string}`)
    expect(signed).toMatchObject({ chainId: 31_337, to: expect.stringMatching(/^0x/) as string })
    expect([await held('chain:hot-held', USDC), await held('chain:hot-held', ETH)]).toEqual([5_000_000n, MAX_FEE])
    expect(await held('chain:hot', USDC)).toBe(995_000_000n)
    expect(await anvil.height()).toBe(before)
  })

  it('writes nothing when the business row does not move', async () => {
    expect(await start({ within: async () => false })).toEqual({ kind: 'declined' })
    await expect(start({ within: () => Promise.reject(new Error('the process died')) })).rejects.toThrow('died')
    expect(await stored()).toEqual([])
    expect(await held('chain:hot-held', ETH)).toBe(0n)
  })

  it('D-1 puts a business row in one send only', async () => {
    const item: SendItem = { withdrawalId: newPayout() }
    expect((await start({ item })).kind).toBe('started')
    await expect(start({ item })).rejects.toThrow('send_items_withdrawal_id_key')
    expect(await stored()).toHaveLength(1)
  })

  it('D-6 gives each sequence out once, however many start at once', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => start()))
    expect(results.map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'started'))
    expect((await stored()).map(({ sequence }) => sequence)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  })

  it('waits once as many are on their way as nodes keep', async () => {
    for (let at = 0; at < 16; at += 1) expect((await start()).kind).toBe('started')
    expect(await start()).toEqual(waits({ code: 'busy' }))
  })

  it('waits for float that is not booked, in the asset or for the fee', async () => {
    const poor = await hotWallet(test.ctx)
    await fillHotWallet(test.ctx, anvil, poor)
    const from = { walletId: poor.walletId }
    const most = { kind: 'transfer', assetId: USDC, to: RECEIVER, units: 1_000_000_000n } as const
    expect((await start({ ...from, intent: most })).kind).toBe('started')
    expect(await start({ ...from })).toEqual({ kind: 'waits', why: { code: 'float_short_of_asset' } })
    await bookFloat(test.ctx, poor.walletId, { [USDC]: 1n })
    const one = { ...most, units: 1n }
    expect(await start({ ...from, intent: one, maxFee: parseEther('9.995') })).toEqual({
      kind: 'waits',
      why: { code: 'float_short_of_coin' },
    })
  })

  it('waits and raises an alarm when the coin does not pay for the fee', async () => {
    await anvil.call('anvil_setBalance', wallet.address, '0x1')
    expect(await start()).toMatchObject({ kind: 'waits', why: { code: 'short_of_coin', held: 1n } })
    const subject = `ETH wallet ${wallet.walletId}`
    expect(await openAlarms(test.ctx)).toContainEqual(expect.objectContaining({ kind: 'hot_wallet_low', subject }))
    await anvil.call('anvil_setBalance', wallet.address, '0x8ac7230489e80000')
    expect((await start()).kind).toBe('started')
    expect(await openAlarms(test.ctx)).not.toContainEqual(expect.objectContaining({ subject }))
  })

  it('refuses what the chain would undo', async () => {
    const intent = { kind: 'transfer', assetId: ETH, to: anvil.probe, units: 1n } as const
    expect(await start({ intent: { ...intent, to: '0x7a9bB2Bd6A0Aa5C3a9bC1C52Bb9D3bC4b4e8A6f1' } })).toMatchObject({
      kind: 'started',
    })
    expect(await start({ intent: { kind: 'call', to: anvil.probe, data: '0xdeadbeef', units: 0n } })).toMatchObject({
      kind: 'refused',
      why: { code: 'would_fail' },
    })
  })

  it('waits while no process signs for the wallet or the chain', async () => {
    expect(await start({ walletId: 999 })).toEqual(waits({ code: 'no_wallet' }))
    expect(await start({ blockchainId: 2 })).toEqual(waits({ code: 'no_sender' }))
    expect(await start({ blockchainId: 4 })).toMatchObject({ kind: 'waits', why: { code: 'chain_down' } })
    await sql`UPDATE wallets SET status = 'inactive' WHERE id = ${wallet.walletId}`.execute(test.ctx.db)
    expect(await start()).toEqual(waits({ code: 'no_wallet' }))
  })
})

describe('sends.lock', () => {
  it('D-9 signs nothing when the chain is ahead of what is stored, until a person has looked', async () => {
    const raw = await wallet.account.signTransaction({
      ...{ type: 'eip1559', chainId: 31_337, nonce: 0, to: RECEIVER, value: 6n, gas: 21_000n },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n },
    })
    await anvil.call('eth_sendRawTransaction', raw)
    expect(await start()).toEqual(waits({ code: 'wallet_locked' }))
    expect(await openAlarms(test.ctx)).toContainEqual(
      expect.objectContaining({
        kind: 'hot_wallet_locked',
        params: { case: 'behind', walletID: wallet.walletId, blockchainCode: 'ETH', expected: '0', found: '1' },
      }),
    )
    expect(await start()).toEqual(waits({ code: 'wallet_locked' }))
    const target = { walletId: wallet.walletId, blockchainId: CHAIN }
    expect(await unlockHotWallet(test.ctx, target)).toBe(true)
    expect(await unlockHotWallet(test.ctx, target)).toBe(false)
    expect(await openAlarms(test.ctx)).toEqual([])
    expect((await start()).kind).toBe('started')
    expect(await stored()).toMatchObject([{ sequence: '1' }])
  })

  it('signs nothing once another program spent from the wallet, until a person unlocks it', async () => {
    await sql`
      INSERT INTO movements (blockchain_id, asset_id, kind, from_address, to_address, from_role, from_wallet_id, tx_id, leg, units,
        evidence, height, block_hash, block_time, seen_at, confirmations_required, rule)
      VALUES (${CHAIN}, ${USDC}, 'spent-outside', ${wallet.address}, ${RECEIVER}, 'hot', ${wallet.walletId}, '0xab', '0', 5,
        'log', 1, '0xcd', now(), now(), 1, 'depth')`.execute(test.ctx.db)
    expect(await start()).toEqual(waits({ code: 'wallet_locked' }))
    expect(await stored()).toEqual([])
    const target = { walletId: wallet.walletId, blockchainId: CHAIN }
    expect(await unlockHotWallet(test.ctx, target)).toBe(true)
    expect(await unlockHotWallet(test.ctx, target)).toBe(false)
    expect((await start()).kind).toBe('started')
  })
})

describe('sends.moved', () => {
  it('is heard as it was emitted, in the same transaction', async () => {
    const started: StartedSend[] = []
    await start({ within: async (_tx, send) => started.push(send) > 0 })
    const moved: SendMoved = {
      ...{ sendId: started[0]?.sendId ?? 0n, purpose: 'payout', item: { withdrawalId: 7n }, state: 'processed' },
      ...{ txId: started[0]?.txId ?? '', feeUnits: 2n ** 70n, block: { height: 9, hash: '0x9' }, failure: null },
    }
    await emitSendMoved(test.ctx, moved)
    expect(heard).toEqual([moved])
  })
})
