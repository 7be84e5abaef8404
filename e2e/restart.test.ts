import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

import { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser, openVisit } from './browser.ts'
import { clearLayout, type Instance, newLayout, type Layout, runStart, startInstance } from './instance.ts'
import { isRunning } from './processes.ts'
import { newPayment, openShop, pay, readPayment, settled, type Shop } from './shop.ts'
import { storedSession } from './spec/operator-windows.ts'
import { until } from './until.ts'

/** Kassa gives up on a part that does not end, or ends with a fault, and says so in its log. */
const UNCLEAN = /did not (come to its end|stop cleanly)/

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

/** Enough that the job is still under way when some links are seen; the file below has another number. */
const LINKS = 250

const jobNow = async (id: number) => shop.operator(bulkJobsRoutes.getBulkJob, { params: { p: shop.project, id } })

describe('kill -9 of every process, right after a customer paid and in the middle of a bulk job', () => {
  let before: string
  let paid: readonly string[]
  let job: number

  it('ends everything that runs', async () => {
    before = await newPayment(shop)
    await pay(shop, before, 'exact', { blockchainCode: 'BASE', currencyCode: 'USDC' })
    await settled(shop, before, 'FILLED')
    const [onEth, onBase] = await Promise.all([newPayment(shop), newPayment(shop, '12.5')])
    paid = [onEth, onBase]
    const rows = Array.from({ length: LINKS }, (_, n) => ({
      key: `file-${n}`,
      input: { amountInUSD: '5', customerID: `bulk-${n}`, customerEmail: `bulk-${n}@mail.example` },
    }))
    const body = { action: 'payment.create', rows }
    await pay(shop, onEth, 'exact', { blockchainCode: 'ETH', currencyCode: 'USDT' })
    await pay(shop, onBase, 'exact', { blockchainCode: 'BASE', currencyCode: 'USDC' })
    job = (await shop.operator(bulkJobsRoutes.startBulkJob, { params: { p: shop.project }, body })).id
    const { done } = await until(
      'some links to be made',
      () => jobNow(job),
      (facts) => facts.done > 0,
    )
    console.log(`${done} links were made before the kill.`)
    expect(done).toBeLessThan(LINKS)
    const processes = instance.processes()
    await instance.kill()
    expect(processes.length).toBeGreaterThan(4)
    instance = await startInstance(layout)
  })

  it('loses nothing: the next start finds the payment on the chain and settles it', async () => {
    for (const reference of paid) expect((await settled(shop, reference, 'FILLED')).deposits).toHaveLength(1)
    expect((await readPayment(shop, before)).paymentState).toBe('FILLED')
  })

  it('makes nothing twice and leaves nothing out: the next start continues the job', async () => {
    const after = await until(
      'the job to end',
      () => jobNow(job),
      ({ status }) => status === 'done',
      120_000,
    )
    expect(after).toMatchObject({ done: LINKS, refused: 0, total: LINKS })
    const search = { params: { p: shop.project }, body: { query: 'bulk-', limit: 1 } }
    const { totalCount } = await shop.operator(paymentsRoutes.searchProjectPayments, search)
    expect(totalCount).toBe(LINKS)
  })

  it('leaves an instance that takes the next payment', async () => {
    const reference = await newPayment(shop)
    await pay(shop, reference, 'two_parts')
    expect((await settled(shop, reference, 'FILLED')).deposits).toHaveLength(2)
  })
})

describe('a file of links on the dashboard', () => {
  it('is processed during a reload of the page, which finds the job and its result', async () => {
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

describe('Ctrl-C', () => {
  it('drains, ends with 0 and leaves no process behind', async () => {
    const reference = await newPayment(shop)
    const processes = instance.processes()
    const [code, answers] = await Promise.all([
      instance.stop(),
      Promise.allSettled([shop.operator(paymentsRoutes.getPayment, { params: { p: shop.project, ref: reference } })]),
    ])
    expect(code).toBe(0)
    expect(processes.filter(isRunning)).toEqual([])
    expect(readFileSync(join(layout.home, 'logs/kassa.log'), 'utf8')).not.toMatch(UNCLEAN)
    // What was under way was answered whole, or never accepted: not cut off with a fault.
    for (const answer of answers) if (answer.status === 'rejected') expect(String(answer.reason)).not.toContain(' 50')
  })

  it('is followed by a start that serves what was there', async () => {
    instance = await startInstance(layout)
    console.log(`The second start was ready after ${Math.round(instance.readyMs)} ms.`)
    expect(await shop.operator(projectsRoutes.listProjects)).toMatchObject([{ name: 'Acme' }])
  })
})

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? ''
}

describe('a start that cannot be', () => {
  let stranger: Server

  afterAll(() => void stranger?.close())

  it('says where the same instance runs already, and that is no failure', async () => {
    const { code, output } = await runStart(layout)
    expect(lastLine(output)).toBe(`Kassa is already running on ${instance.url}`)
    expect(code).toBe(0)
    expect((await fetch(`${instance.url}/health`)).status).toBe(200)
  })

  it('says that another program has the port, and which one to choose', async () => {
    const other = await newLayout()
    stranger = createServer().listen(other.port, '127.0.0.1')
    const { code, output } = await runStart(other)
    clearLayout(other)
    expect(lastLine(output)).toBe(
      `Port ${other.port} is taken by another program. Stop that program, or choose a port: PORT=${other.port + 1} npm start`,
    )
    expect(code).toBe(1)
  })

  it('says so when the data folder cannot be made', async () => {
    const other = await newLayout()
    writeFileSync(other.home, 'not a folder')
    const { code, output } = await runStart(other)
    clearLayout(other)
    expect(lastLine(output)).toContain(
      `Kassa cannot write to its data folder ${other.home}: there is a file of this name`,
    )
    expect(code).toBe(1)
  })
})
