import type { SignedAuthorization } from '@kassa/keys/evm/authorization.ts'

import type { ChainSession, Planned, PlanRefusal, Sequences, UnsignedTx } from '../../adapter.ts'
import type { SendIntent } from '../../send-intent.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callAll, callEach, jsonCall, type NodeCall } from '../../node/client.ts'
import { toQuantity } from '../encoding/hex.ts'
import { gasEstimate, hexBytes, quantity } from '../encoding/wire.ts'
import { factsOf } from '../network/facts.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { readBalances } from '../state/balances.ts'
import { capFor, expectedFeeOf, larger, readPrices } from './fees.ts'
import { layerFeeOf } from './layer-fee.ts'
import { callOf, type EvmCall, isTrueOrNothing, maxFeeOf, packBody, wireAuthorization } from './transaction.ts'

type Ask = { readonly from: string; readonly intent: SendIntent; readonly maxFee: bigint }

/** A native transfer may use this much gas: a receiver that uses more is an unexpected contract (money.md 7.3). */
const NATIVE_GAS_CAP = 100_000n

/** Plans and simulates a transaction on the newest block; see `ChainSender.plan`. */
export async function planSend(session: ChainSession, ask: Ask): Promise<Planned> {
  await requireOwnNetwork(session)
  const call = callOf(session.chain, ask.intent)
  const [prices, held] = await Promise.all([readPrices(session), readHeld(session, ask)])
  if (held.asset !== null && held.asset < ask.intent.units) {
    return refused({ code: 'short_of_asset', needed: ask.intent.units, held: held.asset })
  }
  if (held.coin <= call.value)
    return refused({ code: 'short_of_coin', needed: call.value + ask.maxFee, held: held.coin })
  const gas = await simulate(session, ask, call)
  if (typeof gas !== 'bigint') return refused(gas)
  const authorizations = authorizationsOf(ask.intent)
  const draft = { ...call, gas, ...prices.wanted, layerFee: 0n, authorizations }
  const layerFee = await layerFeeOf(session, draft)
  const fee = capFor(prices, { gas, layerFee, maxFee: ask.maxFee })
  if ('code' in fee) return refused(fee)
  const body = { ...draft, ...fee, layerFee }
  const maxFee = maxFeeOf(body)
  if (held.coin < call.value + maxFee) {
    return refused({ code: 'short_of_coin', needed: call.value + maxFee, held: held.coin })
  }
  const tx: UnsignedTx = { from: ask.from, sequence: null, validUntil: null, maxFee, body: packBody(body) }
  const expectedFee = expectedFeeOf(prices, { gas, layerFee, maxFee })
  return { kind: 'planned', tx, height: prices.height, expectedFee }
}

/** Reads how many transactions of an address are in blocks, and how many including waiting ones; see `ChainSender.sequences`. */
export async function readSequences(session: ChainSession, from: string): Promise<Sequences> {
  await requireOwnNetwork(session)
  const calls = ['latest', 'pending'].map((tag) => jsonCall('eth_getTransactionCount', from, tag))
  const [mined, pending] = (await callAll(session, calls)).map((count) => quantity(count, 'nonce'))
  if (mined === undefined || pending === undefined) throw new RetryableRpcError('malformed', 'The node counts nothing')
  return { mined, pending: pending > mined ? pending : mined }
}

function refused(why: PlanRefusal): Planned {
  return { kind: 'refused', why }
}

function authorizationsOf(intent: SendIntent): readonly SignedAuthorization[] {
  return intent.kind === 'call' ? (intent.authorizations ?? []) : []
}

/** What the sender holds: the native coin, and the moved token, if there is one. */
async function readHeld(session: ChainSession, { from, intent }: Ask): Promise<{ coin: bigint; asset: bigint | null }> {
  const native = session.chain.assets.find(({ standard }) => standard === 'native')
  if (!native) throw new RangeError(`${session.chain.blockchain.code} has no coin of its own`)
  const tokens = intent.kind === 'transfer' && intent.assetId !== native.id ? [intent.assetId] : []
  const asks = [native.id, ...tokens].map((assetId) => ({ assetId, address: from }))
  const [coin, asset] = await readBalances(session, asks)
  return { coin: coin?.units ?? 0n, asset: asset?.units ?? null }
}

/** How much gas a call may use, or why it would fail. */
async function simulate(session: ChainSession, ask: Ask, call: EvmCall): Promise<bigint | PlanRefusal> {
  const { to, value, data } = call
  const authorizationList = authorizationsOf(ask.intent).map(wireAuthorization)
  const request = {
    ...{ from: ask.from, value: toQuantity(value), data },
    ...(to !== null && { to }),
    ...(authorizationList.length > 0 && { authorizationList }),
  }
  const calls: NodeCall[] = [
    jsonCall('eth_call', request, 'latest'),
    jsonCall('eth_estimateGas', request),
    ...(to === null ? [] : [jsonCall('eth_getCode', to, 'latest')]),
  ]
  const [result, estimate, code] = await callEach(session, calls)
  for (const one of [result, estimate]) if (one?.status === 'rejected') return wouldFail(one.reason)
  const isTransfer = ask.intent.kind === 'transfer'
  if (isTransfer && data !== '0x' && !isTrueOrNothing(hexBytes(fulfilled(result), 'result'))) {
    return { code: 'would_fail', reason: 'The token refuses the transfer without reverting it.' }
  }
  const gas = larger((gasEstimate(fulfilled(estimate)) * 12n + 9n) / 10n, leastGasOf(ask.intent))
  const isContract = code !== undefined && hexBytes(fulfilled(code), 'code') !== '0x'
  const cap = isTransfer && data === '0x' && isContract ? NATIVE_GAS_CAP : factsOf(session.chain).maxTxGas
  return cap !== undefined && gas > cap ? { code: 'gas_above_cap', gas, cap } : gas
}

function leastGasOf(intent: SendIntent): bigint {
  return (intent.kind === 'call' && intent.leastGas) || 0n
}

/** @throws a failure of the node, as opposed to an answer of the chain */
function wouldFail(reason: unknown): PlanRefusal {
  if (!(reason instanceof NodeRejected)) throw reason
  return { code: 'would_fail', reason: reason.message }
}

function fulfilled(outcome: PromiseSettledResult<unknown> | undefined): unknown {
  if (outcome?.status === 'fulfilled') return outcome.value
  throw outcome?.reason ?? new RetryableRpcError('malformed', 'The node gave no answer')
}
