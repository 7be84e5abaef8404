/** Passwords tried two hundred times a second while customers look at their payments. */
import { argon2 } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

import { PASSWORD_COST } from '../../apps/server/src/config/config.ts'
import { takeSlot } from '../../e2e/chaos/slot.ts'
import { clearLayout, newLayout } from '../../e2e/instance.ts'
import { newPayment, openShop } from '../../e2e/shop.ts'
import type { Cleanup, Figure } from '../harness/figure.ts'
import { repeat } from '../harness/load.ts'
import { quantile } from '../harness/quantile.ts'

const derive = promisify(argon2)

const ATTEMPTS_PER_SECOND = 200
const FOR_MS = 10_000

/** Customers who look, each from an address of their own, as fast as they are answered. */
const CUSTOMERS = 4

/** api.md: what a payer's page may take. */
const GOAL_MS = 100

/** Measures reads of a payment with and without attempts beside them, and how many passwords are checked meanwhile. */
export async function signInsBesidePayers(cleanup: Cleanup): Promise<readonly Figure[]> {
  const layout = await newLayout()
  const slot = takeSlot({ name: 'server', layout })
  cleanup(async () => {
    await slot.stop()
    await slot.killEverything()
    clearLayout(layout)
  })
  await slot.start()
  const shop = await openShop(slot.url)
  const reference = await newPayment(shop)
  const read = () => readsOf(`${slot.url}/api/v1/payment/reference/${reference}`)
  await read()
  const alone = await read()
  const attempts = startAttempts(slot.url)
  const beside = await read()
  const checked = await attempts()
  const hashes = await hashesPerSecond()
  const name = `payment read beside ${ATTEMPTS_PER_SECOND} sign-in attempts a second, p99`
  return [
    { name, value: beside, unit: 'ms', limit: { name: 'the goal', value: GOAL_MS } },
    { name, value: beside, unit: 'ms', limit: { name: 'the same without attempts, p99', value: alone } },
    {
      name: 'passwords checked meanwhile',
      value: checked,
      unit: '/s',
      limit: { name: 'argon2id of these cores', value: hashes },
    },
  ]
}

let addresses = 0
/** A new address, as a proxy on this machine names it. */
function nextAddress(): string {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

async function readsOf(url: string): Promise<number> {
  const { latenciesMs } = await repeat({ clients: CUSTOMERS, forMs: FOR_MS }, async () => {
    const answer = await fetch(url, { headers: { 'x-forwarded-for': nextAddress() } })
    await answer.text()
    if (!answer.ok) throw new Error(`A payment was answered with ${answer.status}`)
  })
  return quantile(latenciesMs, 0.99)
}

/** Begins; what it returns ends it and gives how many passwords a second were compared. */
function startAttempts(url: string): () => Promise<number> {
  let isOver = false
  let checked = 0
  const begun = performance.now()
  const attempt = async (n: number) => {
    const answer = await fetch(`${url}/api/v1/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
      body: JSON.stringify({ email: `nobody-${n}@shop.example`, password: 'Wrong.Horse9' }),
    })
    await answer.text()
    if (answer.status === 401) checked += 1
  }
  // Who is not connected within ten seconds was not checked either: the figure says so.
  const isUnanswered = (thrown: unknown) => {
    if (!(thrown instanceof TypeError)) throw thrown
  }
  const loop = async () => {
    const waiting: Promise<void>[] = []
    for (let n = 0; !isOver; n += 1) {
      waiting.push(attempt(n).catch(isUnanswered))
      await pause(Math.max(0, begun + ((n + 1) * 1000) / ATTEMPTS_PER_SECOND - performance.now()))
    }
    const perSecond = (checked * 1000) / (performance.now() - begun)
    await Promise.all(waiting)
    return perSecond
  }
  const running = loop()
  return () => {
    isOver = true
    return running
  }
}

/** As fast as the library goes with every core. */
async function hashesPerSecond(): Promise<number> {
  const { memoryKib: memory, passes, lanes: parallelism } = PASSWORD_COST
  const parameters = { message: 'Wrong.Horse9', nonce: Buffer.alloc(16), memory, passes, parallelism, tagLength: 32 }
  const work = async () => void (await derive('argon2id', parameters))
  return (await repeat({ clients: availableParallelism(), forMs: FOR_MS / 2 }, work)).perSecond
}
