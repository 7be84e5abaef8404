import { signAuthorization } from '@kassa/keys/evm/authorization.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import fc from 'fast-check'
import { type Hex, numberToHex, parseEther, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type AnvilChain, chainOf, openAnvilChain } from '../../testing/anvil-chain.ts'
import { mined } from '../../testing/mined.ts'
import { senderRules } from '../../testing/sender-conformance.ts'
import { readBalances } from '../state/balances.ts'
import type { ChainSession, Planned, SentFacts, UnsignedTx } from '../../adapter.ts'
import type { NodeCall, NodeClient } from '../../node/client.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { evmSender as sender } from './sender.ts'
import { packBody } from './transaction.ts'

const KEY = fromHex(`0x${'42'.repeat(32)}`)
const ours = privateKeyToAccount(toHex(KEY) as Hex)
const RECEIVER: Hex = '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0'
const [ETH, USDC, USDT] = [1, 7, 11]
const MAX_FEE = parseEther('0.01')

let anvil: AnvilChain

beforeAll(async () => {
  anvil = await openAnvilChain()
  await anvil.call('anvil_setBalance', ours.address, numberToHex(parseEther('10')))
  await anvil.transfer(SANDBOX_TOKENS.usdc, ours.address, 1_000_000_000n)
  await anvil.transfer(SANDBOX_TOKENS.usdt, ours.address, 1_000_000_000n)
}, 60_000)
afterAll(() => anvil.stop())

const plan = (assetId: number, units: bigint, to: string = RECEIVER, maxFee = MAX_FEE) =>
  sender.plan(anvil.session, { from: ours.address, intent: { kind: 'transfer', assetId, to, units }, maxFee })

function planned(answer: Planned): UnsignedTx {
  if (answer.kind === 'refused') throw new Error(answer.why.code)
  return answer.tx
}

async function next(tx: UnsignedTx): Promise<UnsignedTx> {
  const { pending } = (await sender.sequences?.(anvil.session, ours.address)) ?? { pending: 0n }
  return { ...tx, sequence: pending }
}

describe('conformance of the EVM sender', () => {
  it.each(senderRules)('$name', async ({ check }) => {
    const { session } = anvil
    const network = { ...session.chain.network, chainId: 1 }
    const checked = check(sender, {
      ...{ session, elsewhere: { ...session, chain: { ...session.chain, network } } },
      ...{ from: ours.address, key: KEY, to: RECEIVER, assets: { native: ETH, token: USDC } },
      received: async (assetId) => (await readBalances(session, [{ assetId, address: RECEIVER }]))[0]?.units ?? 0n,
      height: anvil.height,
      mine: anvil.mine,
    })
    await expect(checked).resolves.toBeUndefined()
  })
})

describe('evm.sender signs', () => {
  it('the bytes that viem signs, whatever the transaction', async () => {
    const chain = chainOf('BASE', 'testnet')
    const amount = fc.bigInt(0n, 2n ** 128n)
    const small = fc.bigInt(0n, 2n ** 40n)
    const hex = fc.uint8Array({ maxLength: 80 }).map((bytes) => toHex(bytes) as Hex)
    await fc.assert(
      fc.asyncProperty(amount, small, small, small, small, hex, async (value, nonce, gas, tip, more, data) => {
        const body = { to: RECEIVER, value, data, gas, tip, feeCap: tip + more, layerFee: 0n, authorizations: [] }
        const tx = { from: ours.address, sequence: nonce, validUntil: null, maxFee: 0n, body: packBody(body) }
        const { raw, txId } = sender.sign(chain, tx, KEY)
        const theirs = await ours.signTransaction({
          ...{
            type: 'eip1559',
            chainId: chain.network.chainId ?? 0,
            nonce: Number(nonce),
            to: RECEIVER,
            value,
            data,
            gas,
          },
          ...{ maxFeePerGas: tip + more, maxPriorityFeePerGas: tip },
        })
        expect(toHex(raw)).toBe(theirs)
        expect(parseTransaction(theirs).value ?? 0n).toBe(value)
        expect(txId).toHaveLength(66)
      }),
      { numRuns: 60 },
    )
  })

  it('accounts that get code as viem does (EIP-7702)', async () => {
    const chain = chainOf('ETH', 'sandbox')
    const chainId = chain.network.chainId ?? 0
    const authorization = signAuthorization({ chainId: BigInt(chainId), address: RECEIVER, nonce: 0n }, KEY)
    const body = { to: RECEIVER, value: 1n, data: '0x12', gas: 9n, tip: 1n, feeCap: 2n, layerFee: 0n }
    const packed = packBody({ ...body, authorizations: [authorization] })
    const tx = { from: ours.address, sequence: 7n, validUntil: null, maxFee: 0n, body: packed }
    const theirs = await ours.signTransaction({
      ...{ type: 'eip7702', chainId, nonce: 7, to: RECEIVER, value: 1n, data: '0x12', gas: 9n },
      ...{ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
      authorizationList: [await ours.signAuthorization({ chainId, contractAddress: RECEIVER, nonce: 0 })],
    })
    expect(toHex(sender.sign(chain, tx, KEY).raw)).toBe(theirs)
  })

  it('nothing with the key of another address', async () => {
    const tx = planned(await plan(ETH, 1n))
    const other = fromHex(`0x${'43'.repeat(32)}`)
    expect(() => sender.sign(anvil.session.chain, { ...tx, sequence: 0n }, other)).toThrow('This is no key of')
  })
})

describe('evm.sender plans', () => {
  it.each([
    ['the coin', ETH, 1_000n],
    ['a token', USDC, 5n],
    ['a token that returns nothing', USDT, 7n],
  ])('%s, which arrives', async (_, assetId, units) => {
    const tx = await next(planned(await plan(assetId, units)))
    expect(tx.maxFee).toBeLessThanOrEqual(MAX_FEE)
    const signed = sender.sign(anvil.session.chain, tx, KEY)
    expect(await sender.broadcast(anvil.session, signed)).toBe('accepted')
    expect(await sender.broadcast(anvil.session, signed)).not.toBe('accepted')
    await mined(anvil.node, signed.txId)
    const outcome = await sender.outcome(anvil.session, sentOf(tx, [{ tx, txId: signed.txId }]))
    expect(outcome).toMatchObject({
      state: 'mined',
      failure: null,
      tx: { txId: signed.txId },
      evidence: 'receipts-root',
    })
    expect(outcome.state === 'mined' && outcome.fee > 0n && outcome.fee <= tx.maxFee).toBe(true)
  })

  it.each([
    ['more of a token than there is', USDC, 10n ** 18n, 'short_of_asset'],
    ['more of the coin than there is', ETH, parseEther('11'), 'short_of_coin'],
    ['all of the coin, so that none is left for the fee', ETH, parseEther('10') - 1n, 'short_of_coin'],
  ])('no transfer of %s', async (_, assetId, units, code) => {
    expect(await plan(assetId, units)).toMatchObject({ kind: 'refused', why: { code } })
  })

  it('no transfer to a contract that reverts, or burns gas', async () => {
    expect(await plan(ETH, 1n, SANDBOX_TOKENS.usdc)).toMatchObject({ kind: 'refused', why: { code: 'would_fail' } })
    // JUMPDEST PUSH1 0 JUMP would burn all; a loop of 10,000 rounds burns more than a plain transfer may.
    const burner: Hex = '0x00000000000000000000000000000000000b0042'
    await anvil.call('anvil_setCode', burner, '0x6127105b600190038060035700')
    expect(await plan(ETH, 1n, burner)).toMatchObject({
      kind: 'refused',
      why: { code: 'gas_above_cap', cap: 100_000n },
    })
  })

  it('nothing by a node that estimates no gas: another one may', async () => {
    const { session } = anvil
    const batch: NodeClient['batch'] = async (calls, options) => {
      const isEstimate = (call?: NodeCall) => call?.rpc === 'json' && call.method === 'eth_estimateGas'
      const outcomes = await session.node.batch(calls, options)
      return outcomes.map((one, at): PromiseSettledResult<unknown> =>
        isEstimate(calls[at]) ? { status: 'fulfilled', value: '0x0' } : one,
      )
    }
    const intent = { kind: 'transfer', assetId: USDC, to: RECEIVER, units: 1n } as const
    const lying = { ...session, node: { ...session.node, batch } }
    const answer = sender.plan(lying, { from: ours.address, intent, maxFee: MAX_FEE })
    await expect(answer).rejects.toMatchObject({
      name: 'RetryableRpcError',
      message: expect.stringContaining('no gas'),
    })
  })

  it('no fee above the ceiling, and says what it would take', async () => {
    const answer = await plan(USDC, 1n, RECEIVER, 1_000n)
    expect(answer).toMatchObject({ kind: 'refused', why: { code: 'fee_above_ceiling' } })
  })
})

function sentOf(tx: UnsignedTx, attempts: readonly { tx: UnsignedTx; txId: string }[]): SentFacts {
  return {
    from: ours.address,
    sequence: tx.sequence,
    sinceHeight: 0,
    attempts: attempts.map((one) => ({ txId: one.txId, validUntil: null, body: one.tx.body })),
  }
}

describe('evm.sender bumps', () => {
  it('the same nonce at fees that a node takes in its place, and only one is mined', async () => {
    await anvil.call('evm_setAutomine', false)
    try {
      const first = await next(planned(await plan(ETH, 3n)))
      const signed = sender.sign(anvil.session.chain, first, KEY)
      await sender.broadcast(anvil.session, signed)
      const second = planned((await sender.bump?.(anvil.session, first, MAX_FEE)) ?? failed())
      expect(second.sequence).toBe(first.sequence)
      const again = sender.sign(anvil.session.chain, second, KEY)
      expect(await sender.broadcast(anvil.session, again)).toBe('accepted')
      const sent = sentOf(first, [
        { tx: second, txId: again.txId },
        { tx: first, txId: signed.txId },
      ])
      expect(await sender.outcome(anvil.session, sent)).toEqual({ state: 'pending' })
      await anvil.mine()
      expect(await sender.outcome(anvil.session, sent)).toMatchObject({ state: 'mined', tx: { txId: again.txId } })
      expect(await sender.broadcast(anvil.session, signed)).toMatchObject({ code: 'sequence_used' })
    } finally {
      await anvil.call('evm_setAutomine', true)
    }
  })

  it('nothing above the ceiling', async () => {
    const first = await next(planned(await plan(ETH, 3n)))
    expect(await sender.bump?.(anvil.session, first, first.maxFee)).toMatchObject({
      why: { code: 'fee_above_ceiling' },
    })
  })
})

describe('evm.sender proves', () => {
  it('that another transaction of the same key took the nonce, once its block is final', async () => {
    const tx = await next(planned(await plan(ETH, 5n)))
    const lost = sender.sign(anvil.session.chain, tx, KEY)
    const sent = { ...sentOf(tx, [{ tx, txId: lost.txId }]), sinceHeight: await anvil.height() }
    const other = await ours.signTransaction({
      ...{ type: 'eip1559', chainId: 31_337, nonce: Number(tx.sequence), to: RECEIVER, value: 6n, gas: 21_000n },
      ...{ maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n },
    })
    const txId = await anvil.call('eth_sendRawTransaction', other)
    expect(await sender.outcome(anvil.session, sent)).toEqual({ state: 'unknown' })
    await anvil.mine(3)
    expect(await sender.outcome(anvil.session, sent)).toMatchObject({
      state: 'impossible',
      proof: { kind: 'replaced', txId, block: { height: sent.sinceHeight + 1 } },
    })
  })

  it('that a forgotten attempt, which moves the same, was mined', async () => {
    const tx = await next(planned(await plan(USDC, 9n)))
    const lost = sender.sign(anvil.session.chain, tx, KEY)
    const sent = { ...sentOf(tx, [{ tx, txId: lost.txId }]), sinceHeight: await anvil.height() }
    const bumped = planned((await sender.bump?.(anvil.session, tx, MAX_FEE)) ?? failed())
    const second = sender.sign(anvil.session.chain, bumped, KEY)
    await sender.broadcast(anvil.session, second)
    await mined(anvil.node, second.txId)
    await anvil.mine(3)
    const outcome = await sender.outcome(anvil.session, sent)
    expect(outcome).toMatchObject({ state: 'mined', failure: null, tx: { txId: second.txId } })
  })

  it('which of two attempts was mined, by a node that knows no transaction that waits', async () => {
    const first = await next(planned(await plan(ETH, 7n)))
    const second = planned((await sender.bump?.(anvil.session, first, MAX_FEE)) ?? failed())
    const [taken, lost] = [first, second].map((tx) => ({ tx, ...sender.sign(anvil.session.chain, tx, KEY) }))
    if (!taken || !lost) return failed()
    await sender.broadcast(anvil.session, taken)
    const sent = { ...sentOf(first, [lost, taken]), sinceHeight: (await anvil.height()) - 1 }
    await anvil.mine(3)
    const forgetful = without(['eth_getTransactionByHash'])
    expect(await sender.outcome(forgetful, sent)).toMatchObject({ state: 'mined', tx: { txId: taken.txId } })
    // Without receipts it says nothing of a nonce that an attempt of ours has used: it is never impossible.
    const blind = without(['eth_getTransactionByHash', 'eth_getTransactionReceipt'])
    await expect(sender.outcome(blind, sent)).rejects.toMatchObject({
      name: 'RetryableRpcError',
      message: expect.stringContaining(`has ${taken.txId} in block`),
    })
  })

  it('a reverted transaction, with what it cost', async () => {
    const tx = await next(planned(await plan(USDC, 11n)))
    const signed = sender.sign(anvil.session.chain, tx, KEY)
    await anvil.call('evm_setAutomine', false)
    try {
      await sender.broadcast(anvil.session, signed)
      // Its tokens are spent before it is mined.
      await anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, '0x60006000fd')
      await anvil.mine()
    } finally {
      await anvil.call('evm_setAutomine', true)
    }
    const outcome = await sender.outcome(anvil.session, sentOf(tx, [{ tx, txId: signed.txId }]))
    expect(outcome).toMatchObject({ state: 'mined', failure: 'reverted' })
    expect(outcome.state === 'mined' && outcome.fee > 0n).toBe(true)
  })
})

/** A session with a node that answers null to these methods. */
function without(methods: readonly string[]): ChainSession {
  const { session } = anvil
  const isForgotten = (call?: NodeCall) => call?.rpc === 'json' && methods.includes(call.method)
  const batch: NodeClient['batch'] = async (calls, options) => {
    const outcomes = await session.node.batch(calls, options)
    return outcomes.map((one, at) => (isForgotten(calls[at]) ? { status: 'fulfilled', value: null } : one))
  }
  const call: NodeClient['call'] = async (one, options) => (isForgotten(one) ? null : session.node.call(one, options))
  return { ...session, node: { ...session.node, batch, call } }
}

function failed(): never {
  throw new Error('The adapter cannot bump')
}
