/**
 * What can be seen to be wrong with any screen. Each is looked at in a plain window, and in one of two others by turns, which
 * change places with the day; `npm run pages` looks at each in all of them.
 */
import { GRAPH_GROUPS } from '@kassa/contract/analytics/groups.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { LARGE_TEXT, openBrowser, openVisit, violationsNow, type Visit } from '../browser.ts'
import { newPayment, pay, settled } from '../shop.ts'
import { isTaken, sayTurn } from '../turns.ts'
import { expectComplete, expectShown } from './expect.ts'
import { type OperatorWindows, openOperatorWindows } from './operator-windows.ts'
import { OUTSIDE } from './outside.ts'
import { speakPseudo } from './pseudo-catalogue.ts'
import { PUBLIC_PAGES, SHELL_PAGES } from './screens.ts'

/** Each colour scheme, each direction of reading and each width once. */
const LOOKS = [
  { colorScheme: 'light', dir: 'ltr', width: 1440 },
  { colorScheme: 'dark', dir: 'rtl', width: 390 },
] as const

/** WCAG 1.4.10: the smallest window there is. */
const SMALLEST = { width: 320, height: 844 } as const

/** WCAG 1.4.4: a phone, on which text may be twice as large. */
const PHONE = { width: 390, height: 844 } as const

const WIDE = { width: 1440, height: 900 } as const

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

/** Texts that are not the dashboard's: the server says them, or the operator wrote them. */
const GIVEN = [
  /^(Acme|Nordlicht)$/,
  /^The sandbox has no local chain of it\.$/,
  /^Switch it on: its local chain starts with it\.$/,
  /^Webhook signatures of /,
  /^Too many requests/,
]

/** Groups and graphs come by name from the server, whose names the specification gives. */
const GRAPH_NAMES: readonly string[] = GRAPH_GROUPS.flatMap(({ name, graphs }) => [
  name,
  ...graphs.map((graph) => graph.name),
])

/** The pages of payers and promoters have catalogues of their own. */
const PUBLIC_CATALOGUES = /^\/(addresses|payments|referral|refund)/

/** One window of each kind. */
type Windows = {
  readonly plain: Visit
  readonly large: Visit
  /** Its words are longer by two fifths and read from right to left. */
  readonly foreign: Visit
}

sayTurn()

let windows: OperatorWindows
let largeText: Browser
let reference: string

beforeAll(async () => {
  ;[windows, largeText] = await Promise.all([openOperatorWindows(), openBrowser(LARGE_TEXT)])
  // Something in every list, of states whose badges are long; the first has money to tell of.
  const [exact, under] = [await newPayment(windows.shop, '1049.50'), await newPayment(windows.shop, '12345.67')]
  await pay(windows.shop, exact, 'exact')
  await pay(windows.shop, under, 'under')
  await settled(windows.shop, exact, 'FILLED')
  await newPayment(windows.shop)
  reference = exact
})
afterAll(async () => {
  await largeText?.close()
  await windows?.close()
})

async function openWindows(who: 'visitor' | 'operator'): Promise<Windows> {
  const storage = who === 'operator' ? { storageState: windows.signedIn() } : {}
  const [plain, large, foreign] = await Promise.all([
    windows[who]({ viewport: WIDE }),
    openVisit(largeText, windows.url, { viewport: PHONE, ...storage }),
    windows[who]({ viewport: PHONE }),
  ])
  await speakPseudo(foreign.page.context(), 'ar-XB')
  return { plain, large, foreign }
}

/** Goes there within the dashboard as a link does, or by the address when the window shows no page of it. */
async function open(visit: Visit, path: string): Promise<void> {
  const { page } = visit
  const href = path.replace('{p}', windows.project).replace('{ref}', reference)
  const isInside = SHELL.includes(path) && page.url().startsWith(windows.url)
  if (isInside) await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(href)} })`)
  else await page.goto(href)
  await expectComplete(visit)
}

async function faultsOfPlain(visit: Visit, path: string): Promise<readonly string[]> {
  const { page } = visit
  await page.setViewportSize(WIDE)
  await open(visit, path)
  const found: string[] = []
  for (const { colorScheme, dir, width } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(`document.documentElement.dir = '${dir}'`)
    found.push(...(await violationsNow(page)).map((violation) => `${colorScheme} ${dir} ${width}: ${violation}`))
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (overflow > 0) found.push(`${colorScheme} ${dir} ${width}: ${overflow} px wider than the window`)
  }
  await page.evaluate(`document.documentElement.dir = 'ltr'`)
  await page.setViewportSize(SMALLEST)
  // Charts measure their place anew, and are drawn one frame later.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return [...found, ...(await outsideOf(page, '320 px'))]
}

async function outsideOf(page: Page, what: string): Promise<readonly string[]> {
  return (await page.evaluate<string[]>(OUTSIDE)).map((part) => `${what}, out of the window: ${part}`)
}

async function faultsOfLarge(visit: Visit, path: string): Promise<readonly string[]> {
  const { page } = visit
  await open(visit, path)
  return outsideOf(page, 'text of 200 %')
}

async function faultsOfForeign(visit: Visit, path: string): Promise<readonly string[]> {
  const { page } = visit
  await page.setViewportSize(PHONE)
  await open(visit, path)
  const english = (await plainEnglish(page)).map((text) => `not from the catalogue: ${text}`)
  const direction = await page.evaluate<string>('getComputedStyle(document.body).direction')
  const onPhone = await outsideOf(page, 'longer words')
  await page.setViewportSize(WIDE)
  const onDesktop = await outsideOf(page, 'longer words, 1440 px')
  return [...english, ...(direction === 'rtl' ? [] : [`reads ${direction}`]), ...onPhone, ...onDesktop]
}

/** The plain English text of a page: lines of three words or more without an accent. */
async function plainEnglish(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate<string[]>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = node.parentElement
      if (holder.closest('script, style, noscript, code, pre') || !holder.checkVisibility()) continue
      found.push(node.data.trim())
    }
    return found
  })()`)
  return texts.filter(
    (text) =>
      /^[\x20-\x7e“”’…]*$/.test(text) &&
      /[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}/.test(text) &&
      !GRAPH_NAMES.includes(text) &&
      !GIVEN.some((given) => given.test(text)),
  )
}

/** A page of one payment is as dense as any, and its address is of its own. */
const SHELL: readonly string[] = [...SHELL_PAGES, '/project/{p}/payments/allPayments/{ref}']

describe.each([
  ['visitor', PUBLIC_PAGES],
  ['operator', SHELL],
] as const)('every screen of the %s', (who, paths) => {
  let open: Windows
  beforeAll(async () => {
    open = await openWindows(who)
  })

  it.each(paths.map((path, at) => ({ path, at })))(
    '$path is accessible, fits every window, and speaks another language',
    async ({ path, at }) => {
      const { plain, large, foreign } = open
      const isTranslated = !PUBLIC_CATALOGUES.test(path)
      const found = await Promise.all([
        faultsOfPlain(plain, path),
        ...(isTaken(at + 1) || !isTranslated ? [faultsOfLarge(large, path)] : []),
        ...(isTaken(at) && isTranslated ? [faultsOfForeign(foreign, path)] : []),
      ])
      expect(found.flat()).toEqual([])
    },
  )
})

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
  it('opens its payment at a press on any part, on its badge too', async () => {
    const { page, close } = await windows.operator({ viewport: { width: 390, height: 844 } })
    await page.goto(`/project/${windows.project}/payments/allPayments`)
    const difference = page.getByText(/^Short by/).first()
    await expectShown(difference)
    // An element over the text takes the press, as with a finger.
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
