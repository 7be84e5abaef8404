import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Visit } from '../browser.ts'
import { newPayment, pay, settled } from '../shop.ts'
import { type OperatorWindows, openOperatorWindows } from './operator-windows.ts'
import { expectComplete, expectShown } from './expect.ts'

/** A tablet, and windows in which the sidebar stands in full beside a list. */
const BESIDE_A_SIDEBAR = [768, 1024, 1152, 1279] as const

/** Lists of many columns, each with one it is read by. */
const LISTS = [
  ['/project/{p}/dashboard', 'Customer'],
  ['/project/{p}/payments/allPayments', 'Customer'],
  ['/project/all/payments/allPayments', 'Customer'],
  ['/developers?tabId=events', 'Customer'],
  ['/developers?tabId=apiKeys', 'Key'],
  ['/settings/blockchains', 'Note'],
] as const

let windows: OperatorWindows
beforeAll(async () => {
  windows = await openOperatorWindows()
  // Something in every list, of states whose badges are long.
  const [exact, under] = [await newPayment(windows.shop, '1049.50'), await newPayment(windows.shop, '12345.67')]
  await pay(windows.shop, exact, 'exact')
  await pay(windows.shop, under, 'under')
  await settled(windows.shop, exact, 'FILLED')
  await newPayment(windows.shop)
})
afterAll(() => windows?.close())

/** Runs in the page: the facts of a payment and, of each, the lines that are not in sight from their first letter on. */
const CUT_LINES = `(() => {
  const list = [...document.querySelectorAll('p')].findLast((part) => part.textContent.includes('created by an API key'))
  const { left, right } = list.parentElement.getBoundingClientRect()
  return [...list.children].map((fact) => {
    const text = document.createRange()
    text.selectNodeContents(fact)
    const lines = [...text.getClientRects()]
    return { lines: lines.length, cut: lines.filter((line) => line.left < left - 0.5 || line.right > right + 0.5).length }
  })
})()`

describe('the facts of a payment at 390 px', () => {
  it.each(['page', 'drawer'])('of a customer with a long name are all in sight on its %s', async (place) => {
    const reference = await newPayment(windows.shop, '49', { customerID: `customer-${'0123456789'.repeat(4)}` })
    const { page, close } = await windows.operator({ viewport: { width: 390, height: 844 } })
    const list = `/project/${windows.project}/payments/allPayments`
    await page.goto(place === 'page' ? `${list}/${reference}` : `${list}?open=${reference}`)
    await expectShown(page.getByText('created by an API key'))
    const facts = () => page.evaluate<{ lines: number; cut: number }[]>(CUT_LINES)
    await expect.poll(async () => (await facts()).filter(({ lines }) => lines > 1).length).toBeGreaterThanOrEqual(2)
    await expect.poll(async () => (await facts()).filter(({ cut }) => cut > 0)).toEqual([])
    await close()
  })
})

describe('rows that are picked', () => {
  it('keep their colour under the pointer, and nothing of a row shows below the bar of what can be done', async () => {
    await Promise.all(Array.from({ length: 12 }, () => newPayment(windows.shop)))
    const { page, close } = await windows.operator({ viewport: { width: 1440, height: 720 } })
    await page.goto(`/project/${windows.project}/payments/allPayments`)
    const rows = page.locator('tbody tr')
    const colour = (at: number) =>
      page.evaluate<string>(`getComputedStyle(document.querySelectorAll('tbody tr')[${at}]).backgroundColor`)
    await rows.nth(0).getByRole('checkbox').click()
    await rows.nth(1).getByRole('checkbox').click()
    await expect.poll(async () => (await colour(1)) === (await colour(0))).toBe(true)
    await expect.poll(async () => (await colour(1)) !== (await colour(2))).toBe(true)
    const whatIsBelow = async () => {
      const bar = await page.getByRole('region', { name: 'Selected rows' }).boundingBox()
      const [x, y] = [(bar?.x ?? 0) + 1, (bar?.y ?? 0) + (bar?.height ?? 0) + 1]
      const inTable = `[${y}, 719].map((y) => document.elementFromPoint(${x}, y)?.closest('table'))`
      return y < 719 ? page.evaluate(inTable) : 'no bar'
    }
    await expect.poll(whatIsBelow).toEqual([null, null])
    await close()
  })
})

describe('a text for machines at 390 px', () => {
  it('ends before its copy button', async () => {
    const { page, close } = await windows.operator({ viewport: { width: 390, height: 844 } })
    await page.goto(`/project/${windows.project}/payments/createPaymentLink`)
    await page.getByRole('tab', { name: 'Many from CSV' }).click()
    const text = page.getByRole('group', { name: 'example file' })
    await expectShown(text)
    const room = async () => {
      const [box, button] = [await text.boundingBox(), await page.getByRole('button', { name: /^Copy/ }).boundingBox()]
      return (button?.x ?? 0) - (box?.x ?? 0) - (box?.width ?? 0)
    }
    await expect.poll(room).toBeGreaterThanOrEqual(0)
    await close()
  })
})

describe('a card of a list at 390 px', () => {
  it('opens its payment wherever it is pressed, on its badge too', async () => {
    const { page, close } = await windows.operator({ viewport: { width: 390, height: 844 } })
    await page.goto(`/project/${windows.project}/payments/allPayments`)
    const difference = page.getByText(/^Short by/).first()
    await expectShown(difference)
    // What lies over the text takes the press, as a finger would find it.
    await difference.click({ position: { x: 5, y: 5 }, force: true })
    await expectShown(page.getByRole('dialog', { name: /^Payment / }))
    await close()
  })
})

describe('a list beside a sidebar', () => {
  let visit: Visit
  beforeAll(async () => {
    visit = await windows.operator({ viewport: { width: BESIDE_A_SIDEBAR[0], height: 900 } })
    return () => visit.close()
  })

  it.each(LISTS)('%s has the columns there is room for, and does not scroll sideways', async (path, column) => {
    const { page } = visit
    await page.setViewportSize({ width: BESIDE_A_SIDEBAR[0], height: 900 })
    await page.goto(path.replace('{p}', windows.project))
    await expectShown(page.locator('tbody th'))
    await expectComplete(visit)
    for (const width of BESIDE_A_SIDEBAR) {
      await page.setViewportSize({ width, height: 900 })
      await expect
        .poll(() => page.evaluate(`document.querySelectorAll('[data-wide]').length`), { message: `${width} px` })
        .toBe(0)
      await expectShown(page.getByRole('columnheader', { name: column }))
    }
  })
})
