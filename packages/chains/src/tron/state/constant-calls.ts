import type { AddressKey, ChainSession } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { storableText } from '../../node/storable-text.ts'
import { prefixedBytes } from '@kassa/keys/tron/address.ts'
import { toHex } from '../encoding/hex.ts'
import { list, malformed, object, requireAnswer, whole } from '../encoding/wire.ts'
import { ask, walletCall } from '../network/calls.ts'

/** A call of a contract that is simulated and not sent. */
export type ConstantCall = {
  readonly from: AddressKey
  readonly to: AddressKey
  readonly units: bigint
  readonly data: Uint8Array
}

/** What a call would use, or the contract's reason why it would fail. */
export type Estimate = { readonly energy: bigint; readonly returned: string } | { readonly failure: string }

/** Simulates a call (`triggerconstantcontract`), on the newest state or on that of another view. */
export async function estimateCall(session: ChainSession, call: ConstantCall, view?: string): Promise<Estimate> {
  const answer = object(
    await ask(
      session,
      walletCall(
        'triggerconstantcontract',
        {
          owner_address: prefixed(call.from),
          contract_address: prefixed(call.to),
          data: toHex(call.data),
          call_value: Number(call.units),
        },
        view,
      ),
    ),
    'result',
  )
  requireAnswer(answer)
  const result = object(answer['result'], 'result')
  if (result['code'] !== undefined) return { failure: textOf(result['message']) }
  const [status] = list(object(answer['transaction'], 'transaction')['ret'], 'ret')
  const [returned] = answer['constant_result'] === undefined ? [] : list(answer['constant_result'], 'constant_result')
  if (status !== undefined && object(status, 'ret')['ret'] === 'FAILED') {
    return {
      failure: `The contract undoes the call${typeof result['message'] === 'string' ? `: ${textOf(result['message'])}` : ''}`,
    }
  }
  if (typeof returned !== 'string') throw new RetryableRpcError('malformed', 'The node did not run the call')
  return { energy: whole(answer['energy_used'], 'energy_used'), returned }
}

/** One word that a call returns: 32 bytes. */
const WORD = /^[0-9a-f]{64}$/i

/**
 * Reads the number that a listed token answers. A token that answers nothing is no token that answers 0: its node cannot run the call
 * now. @throws RetryableRpcError
 */
export async function readWord(session: ChainSession, call: ConstantCall, view?: string): Promise<bigint> {
  const answer = await estimateCall(session, call, view)
  if ('failure' in answer) throw new RetryableRpcError('internal', `The node could not run a call: ${answer.failure}`)
  if (!WORD.test(answer.returned)) throw malformed('constant_result')
  return BigInt(`0x${answer.returned}`)
}

/** The hex of an address as nodes take it. */
export function prefixed(key: AddressKey): string {
  return toHex(prefixedBytes(key))
}

/** Nodes print their reasons as text in hex. */
export function textOf(message: unknown): string {
  if (typeof message !== 'string') return 'no reason given'
  const text = /^(?:[0-9a-f]{2})+$/i.test(message) ? Buffer.from(message, 'hex').toString('utf8') : message
  return storableText(text.slice(0, 200))
}
