import type { ChainSession, PlanRefusal } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callEach, jsonCall } from '../../node/client.ts'
import { object, quantity, readBlockRef } from '../encoding/wire.ts'
import { factsOf } from '../network/facts.ts'

/** The present price of gas: the base fee of the newest block, and the tip that gets a transaction in. */
export type Prices = {
  readonly height: number
  readonly baseFee: bigint
  /** Room for the base fee to double: six full blocks in a row. */
  readonly wanted: { readonly tip: bigint; readonly feeCap: bigint }
}

/** Reads what gas costs now (`eth_maxPriorityFeePerGas`, `baseFeePerGas` of the newest block). */
export async function readPrices(session: ChainSession): Promise<Prices> {
  const calls = [jsonCall('eth_getBlockByNumber', 'latest', false), jsonCall('eth_maxPriorityFeePerGas')]
  const [latest, suggested] = await callEach(session, calls)
  if (latest?.status !== 'fulfilled') throw latest?.reason
  const block = readBlockRef(latest.value)
  if (!block) throw new RetryableRpcError('malformed', 'The node has no newest block')
  const baseFee = quantity(object(latest.value, 'block')['baseFeePerGas'], 'baseFeePerGas')
  const least = factsOf(session.chain).minTipWei ?? 1n
  const tip = larger(least, tipOf(suggested))
  return { height: block.height, baseFee, wanted: { tip, feeCap: 2n * baseFee + tip } }
}

/** A node without the method suggests nothing. */
function tipOf(outcome: PromiseSettledResult<unknown> | undefined): bigint {
  if (outcome?.status === 'fulfilled') return quantity(outcome.value, 'tip')
  if (outcome?.reason instanceof NodeRejected) return 0n
  throw outcome?.reason
}

type Fee = { readonly tip: bigint; readonly feeCap: bigint }
type Budget = { readonly gas: bigint; readonly layerFee: bigint; readonly maxFee: bigint }
type AboveCeiling = Extract<PlanRefusal, { code: 'fee_above_ceiling' }>

/** The fee for one gas within a budget: as wanted, or as much as the budget allows, if that is enough for the next block. */
export function capFor({ baseFee, wanted }: Prices, budget: Budget): Fee | AboveCeiling {
  return within(budget, { wanted, least: { tip: wanted.tip, feeCap: baseFee + wanted.tip } })
}

/** What a transaction costs if the next block takes it: the present base fee and the tip, for all the gas it may use. */
export function expectedFeeOf({ baseFee, wanted }: Prices, { gas, layerFee, maxFee }: Budget): bigint {
  return smaller(gas * (baseFee + wanted.tip) + layerFee, maxFee)
}

/** Nodes replace a waiting transaction for 10 % more of both fees; an eighth is more than any of them asks. */
export function raised(fee: bigint): bigint {
  return (fee * 9n + 7n) / 8n
}

/** The fee for one gas that replaces another, within a budget. */
export function bumpedFor({ wanted }: Prices, last: Fee, budget: Budget): Fee | AboveCeiling {
  const least = { tip: raised(last.tip), feeCap: raised(last.feeCap) }
  const best = { tip: larger(least.tip, wanted.tip), feeCap: larger(least.feeCap, wanted.feeCap) }
  return within(budget, { wanted: best, least })
}

function within(
  { gas, layerFee, maxFee }: Budget,
  { wanted, least }: { readonly wanted: Fee; readonly least: Fee },
): Fee | AboveCeiling {
  const affordable = (maxFee - layerFee) / gas
  const feeCap = smaller(larger(wanted.feeCap, wanted.tip), affordable)
  if (feeCap < least.feeCap || feeCap < least.tip) {
    return { code: 'fee_above_ceiling', needed: larger(least.feeCap, least.tip) * gas + layerFee }
  }
  return { tip: smaller(wanted.tip, feeCap), feeCap }
}

/** The larger of two amounts. */
export function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
