/** The whole program with a shop that takes payments every day, and its operator's browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { BrowserContext } from 'playwright-core'

import { openProfile } from '../e2e/browser.ts'
import { freePort } from '../e2e/house.ts'
import type { Cleanup } from './figure.ts'
import { type Lab, openLab } from './lab.ts'
import { fillPast } from './payment-rows.ts'

/** Enough that every list has more than one page. */
const PAYMENTS = 1_000

/** Starts the program with a shop that has had payments for a year. */
export async function openBusyShop(cleanup: Cleanup): Promise<Lab> {
  const lab = await openLab(cleanup)
  const { rows } = await lab.pool.query<{ id: number }>('SELECT id FROM wallets')
  const walletId = rows[0]?.id ?? 0
  await fillPast(lab.pool, { payments: PAYMENTS, projectId: Number(lab.shop.project), walletId })
  return lab
}

export type Profile = { readonly context: BrowserContext; readonly port: number }

/** Starts a browser without any past, which another program may steer by the port. */
export async function newProfile(cleanup: Cleanup): Promise<Profile> {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-profile-'))
  cleanup(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const context = await openProfile(folder, port)
  cleanup(() => context.close())
  return { context, port }
}

/** Leaves in the browser what a sign-in does (specification §3). */
export async function signIn(context: BrowserContext, { house, shop }: Lab): Promise<void> {
  const user = { key: shop.session, role: { name: 'root' }, rootExists: true }
  const page = await context.newPage()
  // Any page of the server will do, and this one starts no program.
  await page.goto(`${house.url}/favicon.svg`)
  await page.evaluate(`localStorage.setItem('user', ${JSON.stringify(JSON.stringify(user))})`)
  await page.close()
}
