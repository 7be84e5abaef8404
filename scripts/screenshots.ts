/**
 * `npm run screenshots`: starts Kassa in a folder of its own, fills it, and pictures every screen into `screenshots/`, to
 * be looked at: in the windows of its set (`screenshots/windows.ts`). It ends with 0 when every screen came and no
 * accessibility rule was broken. Words after the command choose screens whose name holds one of them; the
 * name of a window, such as `1440-light`, keeps to that window.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { authRoutes } from '@kassa/contract/auth/routes.ts'

import { apiOf } from '../e2e/api.ts'
import { clearLayout, type Instance, newLayout, startInstance } from '../e2e/instance.ts'
import { OWNER } from '../e2e/shop.ts'
import { accountScreens } from './screenshots/access/account-screens.ts'
import { photograph, type Screen } from './screenshots/camera.ts'
import { sampleScreens } from './screenshots/checkout/samples.ts'
import { checkoutScreens, confirmingScreens } from './screenshots/checkout/screens.ts'
import { growthScreens } from './screenshots/growth/growth-screens.ts'
import { promoterPages } from './screenshots/growth/promoter-page.ts'
import { developerScreens, projectScreens, walletScreens } from './screenshots/install/dashboard-screens.ts'
import { dialogScreens } from './screenshots/install/dialog-screens.ts'
import { firstScreens } from './screenshots/access/first-screens.ts'
import { figureScreens } from './screenshots/install/figure-screens.ts'
import { homeScreens } from './screenshots/install/home-screens.ts'
import { freshScreens, passwordScreens, publicScreens } from './screenshots/access/identity-screens.ts'
import { endpointScreens, installScreens, networkScreens, vaultScreens } from './screenshots/install/install-screens.ts'
import { emailScreens } from './screenshots/access/email-screens.ts'
import { seedTeam } from './screenshots/access/team.ts'
import { factorScreens, secondStepScreens } from './screenshots/access/factor-screens.ts'
import { aloneScreens, teamScreens } from './screenshots/access/team-screens.ts'
import { deployScreens } from './screenshots/money/deploy-screens.ts'
import { hotWalletScreens } from './screenshots/money/hot-wallet-screens.ts'
import { approvalScreens, newPayoutScreens, payoutScreens } from './screenshots/money/payout-screens.ts'
import { policyScreens, recipientScreens } from './screenshots/money/recipient-screens.ts'
import { fundsScreens, sweepScreens } from './screenshots/money/sweep-screens.ts'
import { listScreens, unmatchedScreens } from './screenshots/payments/list-screens.ts'
import { bulkScreens, paymentScreens, repairScreens } from './screenshots/payments/payment-screens.ts'
import { paymentTroubles } from './screenshots/payments/payment-trouble-screens.ts'
import { holdConfirming, type Seed, seedShop } from './screenshots/seed.ts'
import { signingScreens } from './screenshots/install/signing-screens.ts'
import { shellScreens } from './screenshots/install/shell-screens.ts'
import {
  heldScreens,
  failingEndpoints,
  installWithAlarms,
  unlistedScreens,
} from './screenshots/install/trouble-screens.ts'
import { emptyScreens, waitingScreens } from './screenshots/install/waiting-screens.ts'
import { WINDOWS } from './screenshots/windows.ts'

const folder = join(import.meta.dirname, '../screenshots')
const given = process.argv.slice(2)
const words = given.filter((word) => !WINDOWS.some(({ name }) => name === word))
const windows = WINDOWS.filter(({ name }) => given.length === words.length || given.includes(name))

if (given.length === 0) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const layout = await newLayout()
const instance = await startInstance(layout)
try {
  const failures = await takeAll(instance)
  console.log(`Pictures are in screenshots/; ${failures.length} failures.`)
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  await instance.stop()
  clearLayout(layout)
}

/** In the order in which a server comes to know its first shop. */
async function takeAll({ url, home }: Instance): Promise<string[]> {
  const take = (screens: readonly Screen[], session?: string) =>
    photograph(chosen(screens), { url, folder, windows, ...(session !== undefined && { session }) })
  const failures = await take(freshScreens)
  const { key } = await apiOf(url)(authRoutes.signUp, { body: OWNER })
  failures.push(...(await take([...firstScreens, ...aloneScreens], key)))
  const seed = await seedShop(url, key)
  await seedTeam(seed.shop)
  const { reference, go } = await holdConfirming(seed, home)
  failures.push(...(await take(confirmingScreens(seed, reference), key)))
  go()
  failures.push(
    ...(await take([...publicScreens, ...secondStepScreens, ...passwordScreens, ...emailScreens()])),
    ...(await take([...checkoutScreens(seed), ...sampleScreens(), ...promoterPages(seed)])),
    ...(await take(desktopScreens(seed), key)),
  )
  await seed.receiver.close()
  return failures
}

/** What an operator of a shop with a past sees. */
function desktopScreens(seed: Seed): readonly Screen[] {
  return [
    ...[...figureScreens(seed), ...homeScreens(seed), ...shellScreens(seed), ...dialogScreens(seed)],
    ...[...paymentScreens(seed), ...repairScreens(seed), ...paymentTroubles(seed), ...bulkScreens(seed)],
    ...growthScreens(seed),
    ...[...hotWalletScreens(), ...fundsScreens(), ...sweepScreens(), ...deployScreens()],
    ...[...payoutScreens(seed), ...approvalScreens(seed), ...newPayoutScreens(seed)],
    ...[...recipientScreens(seed), ...policyScreens(seed)],
    ...[...listScreens(seed), ...unmatchedScreens(seed), ...heldScreens(seed), ...unlistedScreens(seed)],
    ...[...projectScreens(seed), ...accountScreens(seed), ...teamScreens(), ...factorScreens(), ...walletScreens()],
    ...[...developerScreens(), ...endpointScreens(), ...failingEndpoints()],
    ...[...installScreens(), ...vaultScreens(), ...networkScreens(), ...installWithAlarms(), ...signingScreens()],
    ...[...waitingScreens(seed), ...emptyScreens()],
  ]
}

function chosen(screens: readonly Screen[]): readonly Screen[] {
  return screens.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
}
