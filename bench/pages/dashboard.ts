/** The project dashboard in a browser: how soon it stands, how it answers a hand, and how soon money is on it. */
import { setTimeout as pause } from 'node:timers/promises'

import type { Page } from 'playwright-core'

import { newPayment, pay, type Shop } from '../../e2e/shop.ts'
import { newProfile, openBusyShop, signIn } from '../harness/busy-shop.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import type { Pool } from '../harness/limits.ts'
import { median, quantile } from '../harness/quantile.ts'
import type { Setup } from '../harness/setup.ts'

/** Loads of the page without anything in the browser's cache. */
const LOADS = 5

const PAYMENTS = 40

/** Changes of figures are named at most once a second (api.md 7): a payment that comes alone does not wait for one before it. */
const PAUSE_MS = 1_200

const BASE_USDC = { blockchainCode: 'BASE', currencyCode: 'USDC' } as const

export const dashboard: Measurement = { name: 'dashboard', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const setup = await openBusyShop(cleanup)
  const loads: Vitals[] = []
  for (let load = 0; load < LOADS; load += 1) loads.push(await loaded(setup, cleanup))
  const { context } = await newProfile(cleanup)
  await signIn(context, setup)
  const page = await context.newPage()
  await open(page, setup)
  const { shop, pool } = setup
  const samples: number[] = []
  for (let payment = 0; payment < PAYMENTS; payment += 1) samples.push(await shownAfter(page, shop, pool))
  const goal = (value: number) => ({ name: 'goal', value })
  return [
    {
      name: 'largest contentful paint, all charts',
      value: median(loads.map(({ lcp }) => lcp)),
      unit: 'ms',
      limit: goal(1_800),
    },
    {
      name: 'interaction to next paint, worst of a round',
      value: median(loads.map(({ inp }) => inp)),
      unit: 'ms',
      limit: goal(150),
    },
    {
      name: 'layout shift, worst of the loads',
      value: Math.max(...loads.map(({ cls }) => cls)),
      unit: 'shift',
      limit: goal(0.02),
    },
    ...[0.5, 0.99].map((share): Figure => ({
      name: `transaction of final money begun → its number on the card, p${share * 100}`,
      value: quantile(samples, share),
      unit: 'ms',
      limit: goal(1_000),
    })),
  ]
}

type Vitals = { readonly lcp: number; readonly inp: number; readonly cls: number }

/** Loads the page as a first visitor, then uses it. */
async function loaded(setup: Setup, cleanup: Cleanup): Promise<Vitals> {
  const { context } = await newProfile(cleanup)
  await signIn(context, setup)
  const page = await context.newPage()
  await page.addInitScript(WATCH)
  await open(page, setup)
  await pause(500)
  await useCharts(page)
  const vitals = await page.evaluate<Vitals>('window.vitals')
  await context.close()
  return vitals
}

async function open(page: Page, { instance, shop }: Setup): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${instance.url}/project/${shop.project}/dashboard`)
  await page.getByRole('application', { name: 'Payments in USD' }).waitFor()
  await page.locator('.animate-shimmer').first().waitFor({ state: 'detached' })
}

/** Presses and keys that draw charts anew. */
async function useCharts(page: Page): Promise<void> {
  const chart = page.getByRole('application', { name: 'Payments in USD' })
  await chart.focus()
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowUp', 'Home', 'Escape']) await page.keyboard.press(key)
  await chart.hover()
  for (const press of [1, 2]) {
    await page.getByRole('figure', { name: 'Payments in USD' }).getByRole('button', { name: 'USDC' }).first().click()
    // Two presses at once show one series alone.
    await pause(600 * press)
  }
  await page.getByRole('button', { name: 'View Payments in USD as table' }).click()
  await pause(300)
}

/**
 * Milliseconds from the beginning of the transaction of a payment's last event to the total that holds it, both by the clock of this machine.
 * A payment changes the total once.
 */
async function shownAfter(page: Page, shop: Shop, pool: Pool): Promise<number> {
  await pause(PAUSE_MS)
  await page.evaluate(WATCH_TOTAL)
  const reference = await newPayment(shop, '49')
  await pay(shop, reference, 'exact', BASE_USDC)
  const shown = await page.evaluate<number>('window.totalChanged')
  const { rows } = await pool.query<{ at: Date }>(
    "SELECT max(created_at) AS at FROM events WHERE reference_id = $1 AND type = 'payment.filled'",
    [reference],
  )
  return shown - (rows[0]?.at.getTime() ?? Number.NaN)
}

/** Runs in the page: when the text of the first number changes, once it was painted. */
const WATCH_TOTAL = `(() => {
  const number = [...document.querySelectorAll('main a')].find((link) => link.textContent.startsWith('Total payments'))
  const before = number.textContent
  window.totalChanged = new Promise((done) => {
    const look = () => number.textContent === before ? requestAnimationFrame(look) : requestAnimationFrame(() => done(Date.now()))
    look()
  })
})()`

/** Runs in the page before anything else (https://web.dev/articles/vitals). */
const WATCH = `{
  window.vitals = { lcp: 0, inp: 0, cls: 0 }
  const watch = (type, take, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more })
  watch('largest-contentful-paint', ({ startTime }) => { vitals.lcp = startTime })
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) vitals.cls += value })
  watch('event', ({ duration, interactionId }) => { if (interactionId) vitals.inp = Math.max(vitals.inp, duration) }, { durationThreshold: 16 })
}`
