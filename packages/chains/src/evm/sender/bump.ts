import type { ChainSession, Planned, UnsignedTx } from '../../adapter.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { bumpedFor, expectedFeeOf, readPrices } from './fees.ts'
import { layerFeeOf } from './layer-fee.ts'
import { maxFeeOf, packBody, readBody } from './transaction.ts'

/** Plans the same transaction under the same nonce at a higher fee; see `ChainSender.bump`. */
export async function bumpSend(session: ChainSession, last: UnsignedTx, maxFee: bigint): Promise<Planned> {
  await requireOwnNetwork(session)
  const before = readBody(last.body)
  const prices = await readPrices(session)
  const layerFee = await layerFeeOf(session, before)
  const budget = { gas: before.gas, layerFee, maxFee }
  const fee = bumpedFor(prices, before, budget)
  if ('code' in fee) return { kind: 'refused', why: fee }
  const body = { ...before, ...fee, layerFee }
  const tx = { ...last, maxFee: maxFeeOf(body), body: packBody(body) }
  return {
    kind: 'planned',
    tx,
    height: prices.height,
    expectedFee: expectedFeeOf(prices, { ...budget, maxFee: tx.maxFee }),
  }
}
