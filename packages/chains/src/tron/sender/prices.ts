import type { ChainSession } from '../../adapter.ts'
import { list, malformed, object, whole } from '../encoding/wire.ts'
import { ask, walletCall } from '../network/calls.ts'

/** Prices in sun (`getchainparameters`). */
export type Prices = {
  readonly energy: bigint
  readonly byte: bigint
  /** The fee for a receiver that was never activated. */
  readonly activation: bigint
}

/** Reads what energy, bytes and new accounts cost now. @throws RetryableRpcError where a node leaves one of them out */
export async function readPrices(session: ChainSession): Promise<Prices> {
  const answer = object(await ask(session, walletCall('getchainparameters')), 'chain parameters')
  const parameters = new Map(
    list(answer['chainParameter'], 'chainParameter').map((one) => {
      const { key, value } = object(one, 'chainParameter')
      return [key, value] as const
    }),
  )
  const price = (key: string) => {
    // A node leaves out the value of a price that is 0, and never its name.
    if (!parameters.has(key)) throw malformed(key)
    return whole(parameters.get(key), key)
  }
  return {
    energy: price('getEnergyFee'),
    byte: price('getTransactionFee'),
    activation: price('getCreateNewAccountFeeInSystemContract') + price('getCreateAccountFee'),
  }
}
