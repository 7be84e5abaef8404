/** An instance with an account and two projects, and windows of a visitor and of the signed-in operator; one per file. */
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { Browser, BrowserContextOptions } from 'playwright-core'

import { openBrowser, openVisit, type Visit } from '../browser.ts'
import { installedLayout } from '../installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from '../instance.ts'
import { openShop, type Shop } from '../shop.ts'

export const PROJECT = 'Acme'
export const OTHER_PROJECT = 'Nordlicht'

export type OperatorWindows = {
  readonly url: string
  /** The shop of the project `PROJECT`. */
  readonly shop: Shop
  /** The id of `PROJECT`, as addresses hold it. */
  readonly project: string
  readonly otherProject: string
  /** A window without a session. */
  readonly visitor: (options?: BrowserContextOptions) => Promise<Visit>
  /** A window that keeps a session, by default that of the first account. */
  readonly operator: (options?: BrowserContextOptions, session?: string) => Promise<Visit>
  /** What a browser stores while the first account is signed in. */
  readonly signedIn: () => StorageState
  readonly close: () => Promise<void>
}

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

/** Starts an instance and Chromium, and creates the account and its projects. */
export async function openOperatorWindows(): Promise<OperatorWindows> {
  const layout = await installedLayout()
  const [instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  const shop = await openShop(instance.url, PROJECT)
  const { id } = await shop.operator(projectsRoutes.createProject, { body: { name: OTHER_PROJECT } })
  const visitor = (options?: BrowserContextOptions) => openVisit(browser, instance.url, options)
  return {
    url: instance.url,
    shop,
    project: shop.project,
    otherProject: String(id),
    visitor,
    operator: (options = {}, session = shop.session) =>
      visitor({ storageState: storedSession(instance.url, session), ...options }),
    signedIn: () => storedSession(instance.url, shop.session),
    close: () => closeAll(browser, instance, layout),
  }
}

/** What a sign-in leaves in the browser (specification §3). */
export function storedSession(origin: string, key: string): StorageState {
  const user = { key, role: { name: 'root' }, rootExists: true }
  return { cookies: [], origins: [{ origin, localStorage: [{ name: 'user', value: JSON.stringify(user) }] }] }
}

async function closeAll(browser: Browser, instance: Instance, layout: Layout): Promise<void> {
  await browser.close()
  await instance.stop()
  clearLayout(layout)
}
