import { checksumAddress } from '@kassa/keys/address-text.ts'
import type { SignedAuthorization } from '@kassa/keys/evm/authorization.ts'
import type { ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callEach, callNode, jsonCall, type NodeCall } from '../../node/client.ts'
import type { SweepCall, SweepQuote, VaultItem } from '../../sweep-vaults.ts'
import { fromHex, toQuantity } from '../encoding/hex.ts'
import { gasEstimate, hexBytes } from '../encoding/wire.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { larger, readPrices } from '../sender/fees.ts'
import { layerFeeOf } from '../sender/layer-fee.ts'
import { isTrueOrNothing, TRANSFER, wireAuthorization } from '../sender/transaction.ts'
import { depositKey } from '@kassa/keys/evm/deposit-contracts.ts'
import { encodeVaultCall } from '../../vault-contract/calls.ts'
import { wordOf } from '@kassa/keys/evm/create2.ts'
import { readVaultState } from './on-chain.ts'

type Ask = {
  readonly vault: string
  readonly call: SweepCall
  readonly payer: string
  /** Accounts that obey the vault only with this transaction (EIP-7702). */
  readonly authorizations?: readonly SignedAuthorization[]
}

/** What any transaction uses before its first instruction (yellow paper, G_transaction). */
const TRANSACTION_GAS = 21_000n

/** What the vault does around a call of a token or a receiver, and more where it creates the deposit contract first. */
const AROUND = { repeat: 12_000n, first: 70_000n }

/** Quotes a sweep on the newest block; see `SweepVaults.quote`. */
export async function quoteSweep(
  session: ChainSession,
  { vault, call, payer, authorizations = [] }: Ask,
): Promise<SweepQuote> {
  await requireOwnNetwork(session)
  const { collector } = await readVaultState(session, vault)
  const tried = await tryItems(session, { vault, call, collector })
  const refused = tried.flatMap((one, index) => (typeof one === 'bigint' ? [] : [{ index, reason: one }]))
  const items = call.items.filter((_, index) => typeof tried[index] === 'bigint')
  const prices = await readPrices(session)
  const gasPrice = prices.baseFee + prices.wanted.tip
  if (items.length === 0) return { collector, gas: 0n, gasLimit: 0n, gasPrice, beside: 0n, refused }
  const data = encodeVaultCall({ ...call, items })
  const answer = await callNode(
    session,
    jsonCall('eth_estimateGas', { from: payer, to: vault, data, ...listed(authorizations) }),
  )
  const gas = gasEstimate(answer)
  const needed = tried.reduce<bigint>((sum, one) => (typeof one === 'bigint' ? sum + one : sum), TRANSACTION_GAS)
  const gasLimit = larger((gas * 3n + 1n) / 2n, needed)
  const draft = { to: vault, value: 0n, data, gas: gasLimit, ...prices.wanted, layerFee: 0n, authorizations }
  return { collector, gas, gasLimit, gasPrice, beside: await layerFeeOf(session, draft), refused }
}

/**
 * The gas that each item needs alone, or why it would fail. A refund is paid out after the transaction, so a batch needs
 * more than it uses, and the last item would run out of gas where only the use was allowed.
 */
async function tryItems(session: ChainSession, ask: Moving): Promise<(bigint | string)[]> {
  const moves = ask.call.items.map((item) => moveOf(ask, item))
  const calls = moves.flatMap(({ owner, request }): NodeCall[] => [
    jsonCall('eth_call', request, 'latest'),
    jsonCall('eth_estimateGas', request),
    jsonCall('eth_getCode', owner, 'latest'),
  ])
  const answers = await callEach(session, calls)
  const isNative = !('token' in ask.call)
  return moves.map((_, at) => {
    const [result, estimate, code] = answers.slice(at * 3)
    const failed = [result, estimate].find((one) => one?.status === 'rejected')
    if (failed?.status === 'rejected') return reasonOf(failed.reason)
    if (!isNative && !isTrueOrNothing(hexBytes(valueOf(result), 'result')))
      return 'The token refuses without reverting.'
    const isFirst = ask.call.kind.startsWith('sweep') && hexBytes(valueOf(code), 'code') === '0x'
    const own = gasEstimate(valueOf(estimate)) - TRANSACTION_GAS
    return own + (isFirst ? AROUND.first : AROUND.repeat)
  })
}

function listed(authorizations: readonly SignedAuthorization[]) {
  return authorizations.length > 0 ? { authorizationList: authorizations.map(wireAuthorization) } : {}
}

type Moving = { readonly vault: string; readonly call: SweepCall; readonly collector: string }

/** The call that the vault makes for one item, as a node can be asked about it. */
function moveOf({ vault, call, collector }: Moving, { id, units }: VaultItem) {
  const owner = ownerOf(call, vault, id)
  if (!('token' in call)) return { owner, request: { from: owner, to: collector, value: toQuantity(units) } }
  // The permit is applied by then; a transfer sent by the owner shows whether the token can be moved.
  const isPulled = call.kind === 'pullToken'
  const data = isPulled
    ? `${TRANSFER_FROM}${word(owner)}${word(collector)}${word(units.toString(16))}`
    : `${TRANSFER}${word(collector)}${word(units.toString(16))}`
  return { owner, request: { from: isPulled ? vault : owner, to: call.token, data } }
}

/** The address of an item: its deposit contract, or the account that its id is. */
function ownerOf(call: SweepCall, vault: string, id: bigint): string {
  const isContract = call.kind === 'sweepToken' || call.kind === 'sweepNative'
  return checksumAddress(isContract ? depositKey(fromHex(vault), id) : wordOf(id).subarray(12))
}

/** First four bytes of keccak256("transferFrom(address,address,uint256)") (ERC-20). */
const TRANSFER_FROM = '0x23b872dd'

function word(hex: string): string {
  return hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')
}

/** @throws what is the node's own failure, and not the chain's word */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof NodeRejected)) throw thrown
  return thrown.message
}

function valueOf(outcome: PromiseSettledResult<unknown> | undefined): unknown {
  if (outcome?.status === 'fulfilled') return outcome.value
  throw outcome?.reason ?? new RetryableRpcError('malformed', 'The node gave no answer')
}
