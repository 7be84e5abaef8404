import type { ChainSession } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callNode, jsonCall } from '../../node/client.ts'
import { toHex } from '../encoding/hex.ts'
import { hexBytes, type Json, quantity } from '../encoding/wire.ts'
import { type EvmBody, longestBytes } from './transaction.ts'

/** The gas-price oracle of OP-stack chains, a predeploy (OP Stack specs, "Predeploys"). */
const ORACLE = '0x420000000000000000000000000000000000000F'

/** First four bytes of keccak256("getL1Fee(bytes)"). */
const GET_L1_FEE = '0x49948e0e'

/** The fee of the first layer for a transaction's bytes, plus a half, because it is determined when the block is made. */
export async function layerFeeOf(session: ChainSession, body: EvmBody): Promise<bigint> {
  if (session.chain.blockchain.feeModel !== 'op-stack') return 0n
  const bytes = toHex(longestBytes(session.chain, body)).slice(2)
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  const data = `${GET_L1_FEE}${word(32)}${word(bytes.length / 2)}${padded}`
  const answer = hexBytes(await callNode(session, jsonCall('eth_call', { to: ORACLE, data }, 'latest')), 'fee')
  if (answer !== '0x') return (quantity(answer, 'fee') * 3n) / 2n
  // A local chain without the oracle has no first layer, and takes nothing for it.
  if (session.chain.mode === 'sandbox') return 0n
  throw new RetryableRpcError('malformed', `${session.node.label} knows no gas-price oracle`)
}

/** What a receipt says the chain charged besides gas: for the first layer, and for its operator (OP Stack specs, Isthmus). */
export function chargedBesideGas(receipt: Json, gasUsed: bigint): bigint {
  const of = (name: string) =>
    receipt[name] === undefined || receipt[name] === null ? 0n : quantity(receipt[name], name)
  return of('l1Fee') + (gasUsed * of('operatorFeeScalar')) / 1_000_000n + of('operatorFeeConstant')
}
