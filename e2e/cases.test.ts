import { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Wire } from './api.ts'
import { printedBooks } from './chaos/audit.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { newPayment, openShop, pay, paymentThat, settled, type Shop } from './shop.ts'
import { until } from './until.ts'

let layout: Layout
let instance: Instance
let shop: Shop
let openedAt: number

beforeAll(async () => {
  layout = await installedLayout()
  instance = await startInstance(layout)
  shop = await openShop(instance.url)
  openedAt = Date.now()
})

afterAll(async () => {
  await instance?.stop()
  clearLayout(layout)
})

function detailOf(reference: string): Promise<Wire<typeof paymentsRoutes.getPayment>> {
  return shop.operator(paymentsRoutes.getPayment, { params: { p: shop.project, ref: reference } })
}

describe('a customer who pays on chain', () => {
  it('exactly, has paid', async () => {
    const reference = await newPayment(shop)
    const { txHash } = await pay(shop, reference, 'exact')
    const paid = await settled(shop, reference, 'FILLED')
    expect(paid).toMatchObject({ fundingState: 'confirmed', overpaid: null, amountDue: '0', late: false })
    expect(paid.filledAmount).toBe(paid.amount)
    expect(paid.deposits.map((deposit) => deposit.txHash)).toEqual([txHash])
  })

  it('too little, has paid a part and is shown the missing amount', async () => {
    const reference = await newPayment(shop)
    await pay(shop, reference, 'under')
    const part = await settled(shop, reference, 'PARTIALLY_FILLED')
    expect(Number(part.amountDue)).toBeGreaterThan(0)
    expect(Number(part.amountDue) + Number(part.filledAmount)).toBe(Number(part.amount))
  })

  it('too much, has overpaid by what is named', async () => {
    const reference = await newPayment(shop)
    await pay(shop, reference, 'over')
    const over = await settled(shop, reference, 'OVER_FILLED')
    expect(over.amountDue).toBe('0')
    expect(Number(over.overpaid)).toBeCloseTo(Number(over.filledAmount) - Number(over.amount), 6)
    expect(Number(over.overpaid)).toBeGreaterThan(0)
  })

  it('in two parts, has paid once both are final', async () => {
    const reference = await newPayment(shop)
    await pay(shop, reference, 'two_parts')
    const paid = await settled(shop, reference, 'FILLED')
    expect(paid.deposits).toHaveLength(2)
    expect(paid.filledAmount).toBe(paid.amount)
  })

  it('after the link expired, has paid late and it counts', async () => {
    const reference = await newPayment(shop)
    await pay(shop, reference, 'late')
    const late = await settled(shop, reference, 'FILLED')
    expect(late.late).toBe(true)
    const { timeline } = await detailOf(reference)
    const events = timeline.map(({ event }) => event)
    expect(events.indexOf('payment.cancelled')).toBeGreaterThan(-1)
    expect(events.indexOf('payment.cancelled')).toBeLessThan(events.indexOf('payment.filled'))
  })

  it('with a token that only calls itself USDC, has paid nothing', async () => {
    const fooled = await newPayment(shop)
    const { blockchainCode } = await pay(shop, fooled, 'wrong_token')
    const later = await newPayment(shop)
    await pay(shop, later, 'exact', { blockchainCode })
    await settled(shop, later, 'FILLED')
    const { paymentState, fundingState, deposits } = await detailOf(fooled)
    expect({ paymentState, fundingState, deposits }).toEqual({
      paymentState: 'OPEN',
      fundingState: 'none',
      deposits: [],
    })
    const notice = await until(
      'the contract to be asked what it calls itself',
      async () => (await detailOf(fooled)).unlisted[0],
      (one) => one?.isLookAlike === true,
    )
    expect(notice).toMatchObject({ symbol: null, blockchainCode })
  })

  it.each([
    ['ETH', 'USDC'],
    ['ETH', 'USDT'],
    ['ETH', 'ETH'],
    ['BASE', 'USDC'],
    ['BASE', 'ETH'],
  ])('on %s in %s, has paid', async (blockchainCode, currencyCode) => {
    const reference = await newPayment(shop)
    await pay(shop, reference, 'exact', { blockchainCode, currencyCode })
    const paid = await settled(shop, reference, 'FILLED')
    expect(paid).toMatchObject({ blockchainSymbol: blockchainCode, currencySymbol: currencyCode })
  })
})

describe('a chain that drops the block of a settled payment', () => {
  it('opens the payment again, and a new transfer settles it again', async () => {
    const reference = await newPayment(shop)
    const { blockchainCode } = await pay(shop, reference, 'exact', { blockchainCode: 'BASE' })
    await settled(shop, reference, 'FILLED')
    const { transfers } = await detailOf(reference)
    const { chains } = await shop.operator(sandboxRoutes.getSandbox)
    const height = chains.find(({ code }) => code === blockchainCode)?.height ?? 0
    const depth = height - (transfers[0]?.blockNumber ?? 0) + 1
    await shop.operator(sandboxRoutes.reorganise, { params: { b: blockchainCode }, body: { depth } })
    await shop.operator(sandboxRoutes.mineBlocks, { params: { b: blockchainCode }, body: { blocks: 1 } })
    const reopened = await paymentThat(shop, reference, 'open again', ({ paymentState }) => paymentState === 'OPEN')
    expect(reopened.fundingState).toBe('reverted')
    await pay(shop, reference, 'exact')
    await settled(shop, reference, 'FILLED')
    const { timeline } = await detailOf(reference)
    const events = timeline.map(({ event }) => event).filter((event) => /filled|reopened/.test(event))
    expect(events).toEqual(['payment.filled', 'payment.reopened', 'payment.filled'])
  })
})

describe('the books after all of it', () => {
  it('balance, and agree with both chains to the last unit', async () => {
    const printed = await printedBooks(layout)
    expect(printed).toContain('The books balance.\n')
    expect(printed).not.toMatch(/BROKEN|DRIFT|UNKNOWN/)
    expect(printed.match(/^ok .*drift 0$/gm)?.length).toBeGreaterThanOrEqual(5)
  })

  it('are shown as balanced by the program itself', async () => {
    const books = await until(
      'the check of the books',
      () => shop.operator(reconciliationRoutes.checkLedger),
      ({ checkedAt }) => Date.parse(checkedAt) > openedAt,
    )
    expect(books).toMatchObject({ ok: true, broken: [] })
    expect(books.chainDrift.filter(({ difference }) => difference !== '0')).toEqual([])
  })
})
