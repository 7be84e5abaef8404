/** A house with an account and two projects, and windows of a visitor and of the signed-in operator; one per file. */
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { Browser, BrowserContextOptions } from 'playwright-core'

import { openBrowser, openVisit, type Visit } from '../browser.ts'
import { clearPlot, type House, newPlot, type Plot, startHouse } from '../house.ts'
import { openShop, type Shop } from '../shop.ts'

export const PROJECT = 'Acme'
export const OTHER_PROJECT = 'Nordlicht'

export type Desk = {
  readonly url: string
  /** The shop of the project `PROJECT`. */
  readonly shop: Shop
  /** The id of `PROJECT`, as addresses hold it. */
  readonly project: string
  readonly otherProject: string
  /** A window of nobody. */
  readonly visitor: (options?: BrowserContextOptions) => Promise<Visit>
  /** A window that keeps a session, that of the first account unless told. */
  readonly operator: (options?: BrowserContextOptions, session?: string) => Promise<Visit>
  /** What a browser stores while the first account is signed in. */
  readonly signedIn: () => StorageState
  readonly close: () => Promise<void>
}

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

/** Starts a house and Chromium, and creates the account and its projects. */
export async function openDesk(): Promise<Desk> {
  const plot = await newPlot()
  const [house, browser] = await Promise.all([startHouse(plot), openBrowser()])
  const shop = await openShop(house.url, PROJECT)
  const { id } = await shop.operator(projectsRoutes.createProject, { body: { name: OTHER_PROJECT } })
  const visitor = (options?: BrowserContextOptions) => openVisit(browser, house.url, options)
  return {
    url: house.url,
    shop,
    project: shop.project,
    otherProject: String(id),
    visitor,
    operator: (options = {}, session = shop.session) =>
      visitor({ storageState: keptSession(house.url, session), ...options }),
    signedIn: () => keptSession(house.url, shop.session),
    close: () => closeAll(browser, house, plot),
  }
}

/** What a sign-in leaves in the browser (specification §3). */
export function keptSession(origin: string, key: string): StorageState {
  const user = { key, role: { name: 'root' }, rootExists: true }
  return { cookies: [], origins: [{ origin, localStorage: [{ name: 'user', value: JSON.stringify(user) }] }] }
}

async function closeAll(browser: Browser, house: House, plot: Plot): Promise<void> {
  await browser.close()
  await house.stop()
  clearPlot(plot)
}
