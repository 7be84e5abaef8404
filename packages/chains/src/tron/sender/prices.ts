import type { ChainSession } from '../../adapter.ts'
import { list, object, whole } from '../encoding/wire.ts'
import { ask, walletCall } from '../network/calls.ts'

/** Prices in sun (`getchainparameters`). */
export type Prices = {
  readonly energy: bigint
  readonly byte: bigint
  /** The fee for a receiver that was never activated. */
  readonly activation: bigint
}

/** Reads the current prices of energy, bytes and new accounts. */
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
