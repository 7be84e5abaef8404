import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { backupsRoutes } from '@kassa/contract/backups/routes.ts'
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from './api.ts'
import { openBrowser, openVisit } from './browser.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { OWNER } from './shop.ts'

const BACKUP = join(import.meta.dirname, '../apps/server/src/commands/backup.ts')
const PASSPHRASE = 'several words at random'

let layout: Layout
let instance: Instance
let browser: Browser
let operator: Api

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  const { key } = await apiOf(instance.url)(authRoutes.signUp, { body: OWNER })
  operator = apiOf(instance.url, key)
})

afterAll(async () => {
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

describe('the upkeep of an install', () => {
  it('knows what it was built from', async () => {
    const { build, builtAt } = await operator(systemRoutes.version, {})
    // The sources of a test may have come without a repository; they are built in any case.
    expect(build).toMatch(/^([0-9a-f]{12}\+?)?$/)
    expect(new Date(builtAt ?? 0).getFullYear()).toBeGreaterThan(2025)
  })

  it('shows a backup once the command has taken it beside the running server', async () => {
    expect(await operator(backupsRoutes.getBackupState, {})).toMatchObject({ isDue: false, last: null })
    const visit = await openVisit(browser, instance.url)
    await visit.page.goto('/login?next=/settings/system')
    await visit.page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
    await visit.page.getByRole('textbox', { name: 'Password', exact: true }).fill(OWNER.password)
    await visit.page.getByRole('button', { name: 'Sign in' }).click()
    const card = visit.page.getByRole('region', { name: 'Backups' })
    await card.getByText('None').waitFor()
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, KASSA_HOME: layout.home }
    await promisify(execFile)(process.execPath, [BACKUP], { env: { ...env, KASSA_BACKUP_PASSPHRASE: PASSPHRASE } })
    expect(readdirSync(join(layout.home, 'backups'))).toEqual([expect.stringMatching(/^kassa-sandbox-.*\.kassa$/)])
    // The page hears of it; nobody reloads.
    await card.getByText('In the file, encrypted').waitFor()
    const { last } = await operator(backupsRoutes.getBackupState, {})
    expect(last).toMatchObject({ kind: 'taken', hasMasterKey: true, version: expect.stringMatching(/^0\./) })
    expect(visit.complaints).toEqual([])
    await visit.close()
  })
})
