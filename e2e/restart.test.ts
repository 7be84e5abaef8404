import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { clearLayout, type Instance, newLayout, type Layout, runStart, startInstance } from './instance.ts'
import { isRunning } from './processes.ts'
import { newPayment, openShop, pay, readPayment, settled, type Shop } from './shop.ts'

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

describe('kill -9 of every process, right after a customer paid', () => {
  it('loses nothing: the next start finds the payment on the chain and settles it', async () => {
    const before = await newPayment(shop)
    await pay(shop, before, 'exact', { blockchainCode: 'BASE', currencyCode: 'USDC' })
    await settled(shop, before, 'FILLED')
    const [onEth, onBase] = await Promise.all([newPayment(shop), newPayment(shop, '12.5')])
    await pay(shop, onEth, 'exact', { blockchainCode: 'ETH', currencyCode: 'USDT' })
    await pay(shop, onBase, 'exact', { blockchainCode: 'BASE', currencyCode: 'USDC' })
    const processes = instance.processes()
    await instance.kill()
    expect(processes.length).toBeGreaterThan(4)

    instance = await startInstance(layout)
    expect((await settled(shop, onEth, 'FILLED')).deposits).toHaveLength(1)
    expect((await settled(shop, onBase, 'FILLED')).deposits).toHaveLength(1)
    expect((await readPayment(shop, before)).paymentState).toBe('FILLED')
  })

  it('leaves an instance that takes the next payment', async () => {
    const reference = await newPayment(shop)
    await pay(shop, reference, 'two_parts')
    expect((await settled(shop, reference, 'FILLED')).deposits).toHaveLength(2)
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
