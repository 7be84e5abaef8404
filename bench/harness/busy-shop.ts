/** The whole program with a shop that takes payments every day, and its operator's browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { BrowserContext } from 'playwright-core'

import { openProfile } from '../../e2e/browser.ts'
import { freePort } from '../../e2e/instance.ts'
import type { Cleanup } from './figure.ts'
import { type Setup, openSetup } from './setup.ts'
import { fillPast } from '../payments/payment-rows.ts'

/** Enough that every list has more than one page. */
const PAYMENTS = 1_000

/** Starts the program with a shop that has had payments for a year. */
export async function openBusyShop(cleanup: Cleanup): Promise<Setup> {
  const setup = await openSetup(cleanup)
  const { rows } = await setup.pool.query<{ id: number }>('SELECT id FROM wallets')
  const walletId = rows[0]?.id ?? 0
  await fillPast(setup.pool, { payments: PAYMENTS, projectId: Number(setup.shop.project), walletId })
  return setup
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
export async function signIn(context: BrowserContext, { instance, shop }: Setup): Promise<void> {
  const user = { key: shop.session, role: { name: 'root' }, rootExists: true }
  const page = await context.newPage()
  // Any page of the server will do, and this one starts no program.
  await page.goto(`${instance.url}/favicon.svg`)
  await page.evaluate(`localStorage.setItem('user', ${JSON.stringify(JSON.stringify(user))})`)
  await page.close()
}
