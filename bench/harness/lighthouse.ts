/** How good Lighthouse finds a page, in the browser that was started for it. */
import lighthouse, { type Config, desktopConfig, type Flags } from 'lighthouse'

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const

export type Category = (typeof CATEGORIES)[number]
export type Device = 'desktop' | 'mobile'

export type Report = {
  /** Of 100. */
  readonly points: Readonly<Record<Category, number>>
  /** Audits that cost points, with what they found. */
  readonly costs: readonly string[]
}

/** Lighthouse's default settings are those for a phone. */
const SETTINGS: Readonly<Record<Device, Config | undefined>> = { desktop: desktopConfig, mobile: undefined }

/** Loads a page once; what the browser keeps of the server, such as a session, stays. */
export async function lookAt(url: string, { port, device }: { port: number; device: Device }): Promise<Report> {
  const flags: Flags = { port, onlyCategories: [...CATEGORIES], disableStorageReset: true, logLevel: 'error' }
  const { lhr } = (await lighthouse(url, flags, SETTINGS[device])) ?? {}
  if (lhr === undefined || lhr.runtimeError !== undefined) {
    throw new Error(`Lighthouse could not look at ${url}: ${lhr?.runtimeError?.message ?? 'no result'}`)
  }
  const isThere = new URL(lhr.finalDisplayedUrl).pathname === new URL(url).pathname
  if (!isThere) throw new Error(`${url} led to ${lhr.finalDisplayedUrl}`)
  const pointsOf = (category: Category) => (lhr.categories[category]?.score ?? 0) * 100
  const costs = CATEGORIES.flatMap((category) => lhr.categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${id} ${lhr.audits[id]?.displayValue ?? ''}`.trim())
  const points = Object.fromEntries(CATEGORIES.map((category) => [category, pointsOf(category)]))
  return { points: points as Record<Category, number>, costs }
}

export type FirstView = {
  /** Until the largest thing that is seen at first was drawn. */
  readonly largestPaintMs: number
  /** Everything that came over the wire. */
  readonly bytes: number
}

/** Loads a page once as a phone on slow 4G does (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md). */
export async function firstView(url: string, port: number): Promise<FirstView> {
  const onlyAudits = ['largest-contentful-paint', 'total-byte-weight']
  const { lhr } = (await lighthouse(url, { port, onlyAudits, logLevel: 'error' })) ?? {}
  const [largestPaintMs, bytes] = onlyAudits.map((audit) => lhr?.audits[audit]?.numericValue)
  if (largestPaintMs === undefined || bytes === undefined) throw new Error(`Lighthouse could not look at ${url}`)
  return { largestPaintMs, bytes }
}
