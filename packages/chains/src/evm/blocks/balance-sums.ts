import type { AddressKey, BlockRef, ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callEach, jsonCall } from '../../node/client.ts'
import { hexBytes } from '../encoding/wire.ts'

/**
 * Addresses that one call adds up: together with the program they stay below the longest code that a node runs (49,152 bytes,
 * EIP-3860).
 */
export const ADDRESSES_PER_CALL = 2_000

/**
 * Code that is never deployed: a node runs it in `eth_call` without a receiver. It adds up the balances of the addresses that
 * follow it, 20 bytes each, and the lengths of their code, and returns three words: the block's number and the two sums.
 */
export const SUM_PROGRAM = [
  '6034', // PUSH1 52, where the addresses begin
  '5b', // JUMPDEST at 2: the loop
  '803811', // DUP1 CODESIZE GT: is there another address?
  '15602a57', // ISZERO PUSH1 42 JUMPI
  '601481600c39', // CODECOPY of 20 bytes to 12: they are the low bytes of the word at 0
  '600051', // MLOAD of the word at 0
  '803160205101602052', // the word at 32 grows by BALANCE
  '3b60405101604052', // the word at 64 grows by EXTCODESIZE
  '601401600256', // the next address: PUSH1 20 ADD, JUMP to 2
  '5b', // JUMPDEST at 42
  '43600052', // NUMBER to the word at 0
  '60606000f3', // RETURN of 96 bytes
].join('')

/** Three words: `0x` and 96 bytes. */
const ANSWER = /^0x([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})$/

/**
 * Adds up what these addresses hold after a block. Null when the node cannot tell, because it no longer keeps that state or
 * does not run such a call; and when one of the addresses has code, which may send money without a transaction of its own.
 */
export async function sumOfBalances(
  session: ChainSession,
  keys: readonly AddressKey[],
  block: Pick<BlockRef, 'height' | 'hash'>,
): Promise<bigint | null> {
  const groups = Array.from({ length: Math.ceil(keys.length / ADDRESSES_PER_CALL) }, (_, at) =>
    keys.slice(at * ADDRESSES_PER_CALL, (at + 1) * ADDRESSES_PER_CALL),
  )
  const where = { blockHash: block.hash, requireCanonical: true }
  const calls = groups.map((group) => jsonCall('eth_call', { data: dataOf(group) }, where))
  const outcomes = await callEach(session, calls)
  let sum = 0n
  for (const outcome of outcomes) {
    const part = readSum(session, outcome, block.height)
    if (part === null) return null
    sum += part
  }
  return sum
}

function dataOf(keys: readonly AddressKey[]): string {
  return `0x${SUM_PROGRAM}${Buffer.concat(keys).toString('hex')}`
}

/** Some nodes answer for another block than the requested one when it is old; such an answer is ignored. */
function readSum({ signal }: ChainSession, outcome: PromiseSettledResult<unknown>, height: number): bigint | null {
  if (outcome.status === 'rejected') {
    const reason: unknown = outcome.reason
    const isNodes = reason instanceof NodeRejected || reason instanceof RetryableRpcError
    if (signal.aborted || !isNodes) throw reason
    return null
  }
  const [, number = '', sum = '', code = ''] = ANSWER.exec(hexBytes(outcome.value, 'sum of balances')) ?? []
  if (sum === '' || BigInt(`0x${number}`) !== BigInt(height) || BigInt(`0x${code}`) !== 0n) return null
  return BigInt(`0x${sum}`)
}
