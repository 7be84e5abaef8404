import type { ChainSession } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { prefixedBytes } from '../addresses/addresses.ts'
import { toHex } from '../encoding/hex.ts'
import { list, object, requireAnswer, whole } from '../encoding/wire.ts'
import { ask, walletCall } from '../network/calls.ts'
import type { Movement } from './calls.ts'

/** Prices in sun (`getchainparameters`). */
export type Prices = {
  readonly energy: bigint
  readonly byte: bigint
  /** For a receiver that was never activated. */
  readonly activation: bigint
}

/** What a call would use, or the contract's word why it would fail. */
export type Estimate = { readonly energy: bigint; readonly returned: string } | { readonly failure: string }

/** Reads what energy, bytes and new accounts cost now. */
export async function readPrices(session: ChainSession): Promise<Prices> {
  const answer = object(await ask(session, walletCall('getchainparameters')), 'chain parameters')
  const parameters = new Map(
    list(answer['chainParameter'], 'chainParameter').map((one) => {
      const { key, value } = object(one, 'chainParameter')
      return [key, value] as const
    }),
  )
  const price = (key: string) => whole(parameters.get(key), key)
  return {
    energy: price('getEnergyFee'),
    byte: price('getTransactionFee'),
    activation: price('getCreateNewAccountFeeInSystemContract') + price('getCreateAccountFee'),
  }
}

/** Reads what an account holds in sun; null when it was never activated. */
export async function readAccount(session: ChainSession, key: Uint8Array): Promise<bigint | null> {
  const answer = object(await ask(session, walletCall('getaccount', { address: prefixed(key) })), 'account')
  requireAnswer(answer)
  return answer['address'] === undefined ? null : whole(answer['balance'], 'balance')
}

/** Runs a call without sending it (`triggerconstantcontract`). */
export async function estimateCall(
  session: ChainSession,
  call: Omit<Movement, 'kind'> & { data: Uint8Array },
): Promise<Estimate> {
  const answer = object(
    await ask(
      session,
      walletCall('triggerconstantcontract', {
        owner_address: prefixed(call.from),
        contract_address: prefixed(call.to),
        data: toHex(call.data),
        call_value: Number(call.units),
      }),
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

function prefixed(key: Uint8Array): string {
  return toHex(prefixedBytes(key))
}

/** Nodes print their reasons as hex of a text. */
export function textOf(message: unknown): string {
  if (typeof message !== 'string') return 'no reason given'
  const text = /^(?:[0-9a-f]{2})+$/i.test(message) ? Buffer.from(message, 'hex').toString('utf8') : message
  return text.slice(0, 200)
}
