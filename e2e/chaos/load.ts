/** A crowd that pays while everything around it breaks. */
import type { Random } from './random.ts'
import { type Counter, type Order, placeOrder, transfersOf } from './orders.ts'
import type { Payer, Transfer } from './payer.ts'

/** `npm run chaos` takes as many as a long run has; `npm test` takes so many that each kind of payment comes often. */
export const isLong = process.env.KASSA_CHAOS === 'long'

/** Payments that are made and paid together. */
const WAVE = 20

export type Load = {
  readonly counter: Counter
  readonly payer: Payer
  readonly random: Random
  readonly payments: number
  /** Runs what sends money; nothing may take the chains away meanwhile. */
  readonly whilePaying: (work: () => Promise<void>) => Promise<void>
}

const CHAINS = ['ETH', 'BASE'] as const

/** Makes the payments in waves and pays each wave; what customers still owe comes with the next one. */
export async function payInWaves(load: Load): Promise<Order[]> {
  const { counter, random, payments } = load
  const orders: Order[] = []
  let owed: Transfer[] = []
  while (orders.length < payments) {
    const size = Math.min(WAVE, payments - orders.length)
    const wave = await Promise.all(Array.from({ length: size }, () => placeOrder(counter, random)))
    const parts = wave.map(transfersOf)
    await send(load, [...parts.flatMap(({ now }) => now), ...owed])
    owed = parts.flatMap(({ later }) => later)
    orders.push(...wave)
  }
  await send(load, owed)
  return orders
}

async function send({ payer, whilePaying }: Load, transfers: readonly Transfer[]): Promise<void> {
  await whilePaying(async () => {
    for (const code of CHAINS) {
      const mine = transfers.filter(({ blockchain }) => blockchain === code)
      if (mine.length > 0) await payer.send(code, mine)
    }
  })
}
