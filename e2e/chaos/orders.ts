/** Payments of every kind: how they are made, what is sent for them, and what they must become. */
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { findAsset } from '@kassa/primitives/chains/assets.ts'
import type { BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import type { Api } from '../api.ts'
import type { PublicPayment } from '../shop.ts'
import type { Random } from './random.ts'
import type { Transfer } from './payer.ts'

/** What a customer does: pays all, too little, too little and later the rest, in two parts at once, or too much. */
export const KINDS = ['exact', 'under', 'rest', 'two_parts', 'over'] as const
export type Kind = (typeof KINDS)[number]

/** What can be paid with, by the asset's id in the catalogue. */
const COINS: readonly [number, ...number[]] = [1, 4, 7, 8, 11]

export type Order = {
  readonly reference: string
  readonly kind: Kind
  readonly assetId: number
  readonly blockchain: BlockchainCode
  readonly to: string
  readonly due: bigint
}

/** Where payments are made: the shop's program, and its customers' pages. */
export type Counter = { readonly merchant: Api; readonly crowd: Api }

/** What of a payment is not left to chance. */
export type Wish = Partial<Pick<Order, 'kind' | 'assetId'>> & { readonly usd?: number | undefined }

let customers = 0

/** Makes a payment of a customer who has none yet, pinned to a coin. */
export async function placeOrder(counter: Counter, random: Random, given: Wish = {}): Promise<Order> {
  customers += 1
  const { kind = KINDS[customers % KINDS.length] ?? 'exact', assetId = random.pick(COINS) } = given
  const asset = findAsset(assetId)
  if (!asset) throw new Error(`There is no asset ${assetId}`)
  const customerID = `chaos-${customers}`
  const { reference_id: reference } = await counter.merchant(paymentsRoutes.createPayment, {
    body: {
      customerID,
      customerEmail: `${customerID}@mail.example`,
      amountInUSD: `${given.usd ?? 10 + random.below(90)}`,
      blockchainCode: asset.blockchain,
      currencyCode: asset.currency,
    },
  })
  const { depositAddress, amount } = await readOrder(counter, reference)
  if (depositAddress === null || amount === null) throw new Error(`${reference} was not pinned`)
  const due = parseUnits(amount, asset.decimals)
  return { reference, kind, assetId, blockchain: asset.blockchain, to: depositAddress, due }
}

/** Reads a payment as its payer does. */
export function readOrder({ crowd }: Pick<Counter, 'crowd'>, reference: string): Promise<PublicPayment> {
  return crowd(paymentsRoutes.getPaymentByReference, { params: { ref: reference } })
}

/** What is sent at once, and what follows later. */
export function transfersOf(order: Order): { readonly now: Transfer[]; readonly later: Transfer[] } {
  const { kind, assetId, blockchain, to, due } = order
  const most = (due * 6n) / 10n
  const transfer = (units: bigint): Transfer => ({ blockchain, assetId, to, units })
  if (kind === 'under') return { now: [transfer(most)], later: [] }
  if (kind === 'rest') return { now: [transfer(most)], later: [transfer(due - most)] }
  if (kind === 'two_parts') return { now: [transfer(most), transfer(due - most)], later: [] }
  return { now: [transfer(kind === 'over' ? (due * 11n) / 10n : due)], later: [] }
}

/** What is wrong with a payment whose money is all final; null when nothing is. */
export function wrongWith(order: Order, payment: PublicPayment): string | null {
  const { now, later } = transfersOf(order)
  const sent = [...now, ...later]
  const units = sent.reduce((sum, one) => sum + one.units, 0n)
  const state = { under: 'PARTIALLY_FILLED', over: 'OVER_FILLED' }[String(order.kind)] ?? 'FILLED'
  const decimals = findAsset(order.assetId)?.decimals ?? 0
  const filled = payment.filledAmount === null ? 0n : parseUnits(payment.filledAmount, decimals)
  const counted = payment.deposits.filter((deposit) => deposit.state === 'counted')
  const isRight =
    payment.paymentState === state &&
    filled === units &&
    counted.length === sent.length &&
    payment.deposits.length === sent.length
  if (isRight) return null
  return `${order.kind} ${order.reference}: ${payment.paymentState} ${filled}/${units}, ${counted.length} of ${payment.deposits.length} deposits counted`
}
