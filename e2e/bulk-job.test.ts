import { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser, openVisit } from './browser.ts'
import { clearLayout, type Instance, newLayout, type Layout, startInstance } from './instance.ts'
import { openShop, type Shop } from './shop.ts'
import { storedSession } from './spec/operator-windows.ts'
import { until } from './until.ts'

const LINKS = 800

let layout: Layout
let instance: Instance
let shop: Shop

beforeAll(async () => {
  layout = await newLayout()
  instance = await startInstance(layout)
  shop = await openShop(instance.url)
})

afterAll(async () => {
  await instance?.stop()
  clearLayout(layout)
})

const show = async (id: number) => shop.operator(bulkJobsRoutes.getBulkJob, { params: { p: shop.project, id } })

describe('kill -9 of every process in the middle of a bulk job', () => {
  it('makes nothing twice and leaves nothing out: the next start continues the job', async () => {
    const rows = Array.from({ length: LINKS }, (_, n) => ({
      key: `file-${n}`,
      input: { amountInUSD: '5', customerID: `bulk-${n}`, customerEmail: `bulk-${n}@mail.example` },
    }))
    const body = { action: 'payment.create', rows }
    const { id } = await shop.operator(bulkJobsRoutes.startBulkJob, { params: { p: shop.project }, body })
    const begun = performance.now()
    const before = await until(
      'some links to be made',
      () => show(id),
      ({ done }) => done > 50,
    )
    console.log(`${before.done} links were made in ${Math.round(performance.now() - begun)} ms.`)
    expect(before.done).toBeLessThan(LINKS)
    await instance.kill()
    instance = await startInstance(layout)
    const after = await until(
      'the job to end',
      () => show(id),
      ({ status }) => status === 'done',
      120_000,
    )
    expect(after).toMatchObject({ done: LINKS, refused: 0, total: LINKS })
    const search = { params: { p: shop.project }, body: { query: 'bulk-', limit: 1 } }
    const { totalCount } = await shop.operator(paymentsRoutes.searchProjectPayments, search)
    expect(totalCount).toBe(LINKS)
  })
})

describe('a file of links on the dashboard', () => {
  it('is gone through while the page is read anew, which finds the job and its result', async () => {
    const browser = await openBrowser()
    const visit = await openVisit(browser, instance.url, { storageState: storedSession(instance.url, shop.session) })
    try {
      const { page } = visit
      await page.goto(`/project/${shop.project}/payments/createPaymentLink?tabId=bulk`)
      const lines = Array.from({ length: 300 }, (_, n) => `7,page-${n}@mail.example`)
      await page.getByLabel('CSV file with one link per line').setInputFiles({
        name: 'january.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(['amountInUSD,customerEmail', ...lines].join('\n')),
      })
      await page.getByRole('button', { name: 'Create 300 links' }).click()
      await page.getByText(/^Creating: \d+ created of 300$/).waitFor()
      await page.reload()
      const jobs = page.getByRole('list', { name: 'Recent files' })
      await jobs.getByText('300 done', { exact: true }).waitFor({ timeout: 100_000 })
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        jobs.getByRole('button', { name: 'Result CSV' }).first().click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^bulk-job-\d+\.csv$/)
      expect(visit.complaints).toEqual([])
    } finally {
      await visit.close()
      await browser.close()
    }
  })
})
