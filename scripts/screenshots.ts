/**
 * `npm run screenshots`: starts Kassa in a folder of its own, fills it, and pictures every screen at three widths and in
 * both themes into `screenshots/`, to be looked at. It ends with 0 when every screen came and no accessibility rule was
 * broken. Words after the command choose screens whose name holds one of them.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { authRoutes } from '@kassa/contract/auth/routes.ts'

import { apiOf } from '../e2e/api.ts'
import { openBrowser } from '../e2e/browser.ts'
import { clearPlot, type House, newPlot, startHouse } from '../e2e/house.ts'
import { OWNER } from '../e2e/shop.ts'
import { accountScreens, passwordScreens } from './screenshots/account-screens.ts'
import { photograph, type Screen } from './screenshots/camera.ts'
import { sampleScreens } from './screenshots/checkout-samples.ts'
import { developerScreens, projectScreens, walletScreens } from './screenshots/dashboard-screens.ts'
import {
  bulkScreens,
  listScreens,
  paymentScreens,
  repairScreens,
  unmatchedScreens,
} from './screenshots/payment-screens.ts'
import { endpointScreens, installScreens, networkScreens } from './screenshots/install-screens.ts'
import { checkoutScreens, confirmingScreens, firstScreens, freshScreens, publicScreens } from './screenshots/screens.ts'
import { holdConfirming, seedShop } from './screenshots/seed.ts'
import { heldScreens, troubledEndpoints, troubledInstall } from './screenshots/trouble-screens.ts'

const folder = join(import.meta.dirname, '../screenshots')
const words = process.argv.slice(2)

if (words.length === 0) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const plot = await newPlot()
const house = await startHouse(plot)
try {
  const failures = await takeAll(house)
  for (const failure of failures) console.error(failure)
  console.log(`Pictures are in screenshots/; ${failures.length} failures.`)
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  await house.stop()
  clearPlot(plot)
}

/** In the order in which a server comes to know its first shop. */
async function takeAll({ url, home }: House): Promise<string[]> {
  const browser = await openBrowser()
  const take = (screens: readonly Screen[], session?: string) =>
    photograph(browser, chosen(screens), { url, folder, ...(session !== undefined && { session }) })
  const failures = await take(freshScreens)
  const { key } = await apiOf(url)(authRoutes.signUp, { body: OWNER })
  failures.push(...(await take(firstScreens, key)))
  const seed = await seedShop(url, key)
  const { reference, go } = await holdConfirming(seed, home)
  failures.push(...(await take(confirmingScreens(seed, reference), key)))
  go()
  failures.push(
    ...(await take(publicScreens)),
    ...(await take(passwordScreens)),
    ...(await take(checkoutScreens(seed))),
    ...(await take(sampleScreens())),
  )
  const payments = [...paymentScreens(seed), ...repairScreens(seed), ...unmatchedScreens(seed), ...bulkScreens(seed)]
  payments.push(...listScreens(seed))
  const dashboard = [...projectScreens(seed), ...walletScreens(), ...payments, ...developerScreens()]
  dashboard.push(...endpointScreens(), ...installScreens(), ...networkScreens())
  dashboard.push(...accountScreens(seed))
  dashboard.push(...heldScreens(seed), ...troubledEndpoints(), ...troubledInstall())
  failures.push(...(await take(dashboard, key)))
  await seed.receiver.close()
  await browser.close()
  return failures
}

function chosen(screens: readonly Screen[]): readonly Screen[] {
  return screens.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
}
