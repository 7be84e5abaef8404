/** Chromium as a person uses it, with everything it asked for and complained about. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

import { type Look, runAxe } from './axe.ts'

/**
 * What Chromium leaves off. Its last list counts, so those that Playwright leaves off stand here again; the menus of the
 * address bar are pages of their own, drawn all the time behind every window without anybody who sees them: they took
 * two seconds of a processor to open, and a sixth of one from then on.
 */
const LEFT_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
]

/** Root cannot use Chromium's sandbox; the rest keeps it from asking servers of its own (https://peter.sh/experiments/chromium-command-line-switches/). */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${LEFT_OFF.join(',')}`,
]

/**
 * A page of a test lives for seconds: the dearest compiler of V8 seldom earns what it costs before the page is left; the one before
 * it stays, since wallets are derived in pages. What draws needs no process of its own.
 */
const SHORT_LIVED = ['--js-flags=--no-opt', '--in-process-gpu']

/** What tells Chromium that its owner asked for text twice as large, in the setting every browser has. */
export const LARGE_TEXT: readonly string[] = ['--blink-settings=defaultFontSize=32,defaultFixedFontSize=26']

/** Clicks and waits on a machine that builds something else at the same time. */
const TIMEOUT_MS = 60_000

/** A browser starts in one second; beside many other starts it took more than the thirty that Playwright waits. */
const LAUNCH_MS = 150_000

/** What a page sent: over HTTP or by websocket. */
export type Sent = { readonly to: string; readonly text: string }

export type Visit = {
  readonly page: Page
  readonly calls: Calls
  readonly sent: readonly Sent[]
  /** Errors of the console, content-policy refusals among them, and faults of scripts. */
  readonly complaints: readonly string[]
  readonly close: () => Promise<void>
}

/** What the page asks for: `areOver` once no answer is waited for, and none came so lately that another call may follow. */
export type Calls = { readonly areOver: () => boolean }

/** An answer that leads to another call does so at once. */
const FOLLOWS_WITHIN_MS = 150

/** The whole browser, and the part of it that draws pages without a window: a page costs it a third less of a processor. */
const [WHOLE, WINDOWLESS] = ['chromium', 'chromium-headless-shell'] as const

/** Starts Debian's Chromium. */
export function openBrowser(moreFlags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: pathOf(WINDOWLESS, WHOLE),
    args: [...FLAGS, ...SHORT_LIVED, ...moreFlags],
    timeout: LAUNCH_MS,
  })
}

/** Starts Chromium as a person does, who keeps what pages store in the folder; another program may steer it by the port. */
export function openProfile(folder: string, port: number): Promise<BrowserContext> {
  const args = [...FLAGS, `--remote-debugging-port=${port}`]
  // What steers it by the port chooses the size.
  return chromium.launchPersistentContext(folder, { executablePath: pathOf(WHOLE, WINDOWLESS), args, viewport: null })
}

/** Opens a window without any history or session. */
export async function openVisit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  const calls = watchCalls(page)
  const sent: Sent[] = []
  const complaints: string[] = []
  page.on('request', (request) => sent.push({ to: request.url(), text: request.postData() ?? '' }))
  page.on('websocket', (socket) => {
    sent.push({ to: socket.url(), text: '' })
    socket.on('framesent', ({ payload }) => sent.push({ to: socket.url(), text: String(payload) }))
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (fault) => complaints.push(String(fault)))
  return { page, calls, sent, complaints, close: () => context.close() }
}

/** A security key of Chromium that verifies its owner and answers without a touch (DevTools protocol, WebAuthn). */
export async function plugSecurityKey(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

function watchCalls(page: Page): Calls {
  const waiting = new Set<unknown>()
  let last = performance.now()
  page.on('request', (request) => {
    // A stream of events stays open.
    if (request.resourceType() !== 'eventsource') waiting.add(request)
  })
  for (const event of ['requestfinished', 'requestfailed'] as const) {
    page.on(event as 'requestfinished', (request) => {
      waiting.delete(request)
      last = performance.now()
    })
  }
  return { areOver: () => waiting.size === 0 && performance.now() - last > FOLLOWS_WITHIN_MS }
}

/** The rules that a change of the theme can change. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Lists what the accessibility rules find on the page in both themes; leaves it light. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await violationsNow(page, { rules: COLOR_RULES })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...dark.map((violation) => `dark ${violation}`), ...(await violationsNow(page))]
}

/** Lists what the accessibility rules find on the page as it is. */
export async function violationsNow(page: Page, look: Look = {}): Promise<readonly string[]> {
  await settle(page)
  return runAxe(page, look)
}

/** Longer than any movement of the pages; one that never ends, such as a spinner's, is not waited for. */
const MOVEMENT_MS = 2_000

/** Waits until colours and panels have arrived where they go. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(`Promise.race([
    new Promise((done) => setTimeout(done, ${MOVEMENT_MS})),
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
          .map((animation) => animation.finished.catch(() => undefined)),
      ),
    ),
  ]).then(() => undefined)`)
}

/** Lists the hosts a visit spoke to besides the server's own. */
export function strangersOf({ sent }: Visit, url: string): readonly string[] {
  const own = new URL(url).host
  const hosts = sent.filter(({ to }) => !/^(data|blob):/.test(to)).map(({ to }) => new URL(to).host)
  return [...new Set(hosts)].filter((host) => host !== own)
}

/** Where the first of the programs lies that there is. @throws Error that says how to get one */
function pathOf(...names: readonly string[]): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
  if (found === undefined)
    throw new Error(`Neither ${names.join(' nor ')} is on PATH (Debian: sudo apt-get install ${names[0]}).`)
  return found
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
