/** From the press on a menu entry to the painted screen, when its program and its data are there already. */
import { setTimeout as pause } from 'node:timers/promises'

import type { Page } from 'playwright-core'

import { newProfile, openBusyShop, signIn } from '../harness/busy-shop.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { quantile } from '../harness/quantile.ts'

/** What still feels as if it happened at once (https://www.nngroup.com/articles/response-times-3-important-limits/). */
const GOAL_MS = 100

/** Visits of each screen. */
const ROUNDS = 8

/** A person looks at a screen before going on, and rests on a link before pressing it. */
const LOOK_MS = 300
const REST_MS = 80

/** A screen that takes longer is broken. */
const TIMEOUT_MS = 20_000

type Screen = {
  readonly heading: string
  /** How the address of its menu entry ends. */
  readonly path: string
  /** A text that is shown only with the data. */
  readonly data: string
}

export const navigation: Measurement = { name: 'navigation', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const setup = await openBusyShop(cleanup)
  const { context } = await newProfile(cleanup)
  await signIn(context, setup)
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${setup.instance.url}/project/all/dashboard`)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Payments' }).click()
  // The first round loads each screen and its data.
  for (const screen of SCREENS) await goTo(page, screen)
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const screen of SCREENS) samples.push(await goTo(page, screen))
  }
  return [0.5, 0.95].map((share) => ({
    name: `change between ${SCREENS.length} screens, p${share * 100}`,
    value: quantile(samples, share),
    unit: 'ms',
    limit: { name: 'goal', value: GOAL_MS },
  }))
}

const PAYMENT = 'tbody a[href]'

const SCREENS: readonly Screen[] = [
  { heading: 'Dashboard', path: '/dashboard', data: PAYMENT },
  { heading: 'All payments', path: '/payments/allPayments', data: PAYMENT },
  { heading: 'Developers', path: '/developers', data: 'tbody td' },
  { heading: 'System health', path: '/settings/system', data: 'tbody td' },
  { heading: 'Settings', path: '/settings', data: 'a[href^="/settings/account/"]' },
]

/** Presses the menu's entry; returns the milliseconds until the screen with its data was painted. */
async function goTo(page: Page, { heading, path, data }: Screen): Promise<number> {
  const box = await page.locator(`aside a[href$="${path}"]`).first().boundingBox()
  if (box === null) throw new Error(`The menu has no entry ${path}`)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await pause(REST_MS)
  await page.evaluate(`(${WATCH})(${JSON.stringify({ heading, data, patience: TIMEOUT_MS })})`)
  await page.mouse.click(x, y)
  const taken = await page.evaluate<number | null>('window.painted')
  if (taken === null) throw new Error(`${heading} did not come`)
  await pause(LOOK_MS)
  return taken
}

/**
 * Counts from the press until the screen has no placeholder and the next frame begins: then it was painted.
 * Runs in the page, where nothing of this program is.
 */
const WATCH = `({ heading, data, patience }) => {
  const isThere = () => {
    const main = document.querySelector('main')
    return main.querySelector('h1')?.textContent === heading && main.querySelector(data) !== null
      && main.querySelector('.animate-shimmer') === null
  }
  window.painted = new Promise((done) => {
    setTimeout(done, patience, null)
    addEventListener('click', ({ timeStamp }) => {
      const look = () => isThere() ? requestAnimationFrame(() => done(performance.now() - timeStamp)) : requestAnimationFrame(look)
      look()
    }, { capture: true, once: true })
  })
}`
