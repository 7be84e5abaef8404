/** What must be true when the chaos is over. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'

import { EVENTS } from '@kassa/contract/webhooks/events.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'
import { findAsset } from '@kassa/primitives/chains/assets.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { expect } from 'vitest'

import type { Api, Wire } from '../api.ts'
import type { Layout } from '../instance.ts'
import { until } from '../until.ts'
import { type Counter, type Order, readOrder, wrongWith } from './orders.ts'
import { byReference, type EventReceiver } from './receiver.ts'

/** An attempt of a killed process is repeated by another one after 45 s. */
const DELIVERED_WITHIN_MS = 240_000

const RIGHT_WITHIN_MS = 240_000

/** Every event a webhook endpoint can receive, those on request included. */
export const DELIVERABLE = Object.entries(EVENTS)
  .filter(([type, { delivered }]) => type.startsWith('payment.') && delivered !== 'never')
  .map(([type]) => type)

/** Waits until every payment is what was sent for it. @throws Error that names the first that is not */
export async function expectRight(counter: Counter, orders: readonly Order[]): Promise<void> {
  const deadline = performance.now() + RIGHT_WITHIN_MS
  // One after the other: asked for all at once, the server would answer this question and settle nothing.
  for (const order of orders) {
    await until(
      'every payment to be right',
      async () => wrongWith(order, await readOrder(counter, order.reference)),
      (fault) => fault === null,
      Math.max(0, deadline - performance.now()),
    )
  }
}

/**
 * Every event of the project reached its receiver, those of one payment in their order, from 1 without a gap.
 * Returns how many there were.
 */
export async function expectDelivered(
  shop: { readonly operator: Api; readonly project: string },
  receiver: EventReceiver,
): Promise<number> {
  const events = (await allEvents(shop)).filter(({ type }) => DELIVERABLE.includes(type))
  await until(
    'every event to be delivered',
    () => events.filter(({ id }) => !receiver.heard.has(id)).map(({ id, type }) => `${type} ${id}`),
    (missing) => missing.length === 0,
    DELIVERED_WITHIN_MS,
  )
  for (const [reference, heard] of byReference(receiver.heard)) {
    const order = heard.map(({ sequence }) => sequence)
    expect(order, `events of ${reference} as they came`).toEqual(heard.map((_one, at) => at + 1))
  }
  return events.length
}

type FeedEvent = Wire<typeof webhooksRoutes.listEvents>['data'][number]

async function allEvents({ operator, project }: { operator: Api; project: string }): Promise<FeedEvent[]> {
  const events: FeedEvent[] = []
  for (let cursor: string | null = null; ;) {
    const page: Wire<typeof webhooksRoutes.listEvents> = await operator(webhooksRoutes.listEvents, {
      params: { p: project },
      query: { limit: 100, ...(cursor !== null && { cursor }) },
    })
    events.push(...page.data)
    if (page.data.length === 0) return events
    cursor = page.nextCursor
  }
}

/** The books balance, and hold what the chains hold: asked for the first time, so checked now. */
export async function expectBooks(operator: Api): Promise<void> {
  const check = await operator(reconciliationRoutes.checkLedger)
  expect(check).toMatchObject({ ok: true, broken: [], chainDrift: [], unchecked: [] })
}

const CHECK_BOOKS = join(import.meta.dirname, '../../apps/server/src/commands/check-books.ts')

/** What `npm run check-books` prints beside an install that runs. It ends with 1 where a chain could not be compared. */
export function printedBooks({ home, port }: Layout): Promise<string> {
  const env = { ...process.env, KASSA_HOME: home, PORT: String(port) }
  return new Promise((resolve) => {
    execFile(process.execPath, [CHECK_BOOKS], { env }, (_failure, stdout, stderr) => resolve(stdout + stderr))
  })
}

/** What the books say is the project's own is what its customers sent, unit for unit, and nothing waits any more. */
export async function expectBalances(
  { operator, project }: { readonly operator: Api; readonly project: string },
  sent: ReadonlyMap<number, bigint>,
): Promise<void> {
  const balances = await operator(ledgerRoutes.listBalances, { params: { p: project } })
  for (const [assetId, units] of sent) {
    const asset = findAsset(assetId)
    if (!asset) throw new Error(`There is no asset ${assetId}`)
    const held = balances.filter(
      ({ blockchainCode, currencyCode }) => blockchainCode === asset.blockchain && currencyCode === asset.currency,
    )
    const own = held.find(({ account }) => account === 'project:balance')?.balance ?? '0'
    expect([asset.blockchain, asset.currency, parseUnits(own, asset.decimals)]).toEqual([
      asset.blockchain,
      asset.currency,
      units,
    ])
    const waiting = held.filter(({ account, balance }) => account.endsWith(':unconfirmed') && Number(balance) !== 0)
    expect(waiting).toEqual([])
  }
}
