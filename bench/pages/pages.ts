/** What Lighthouse gives the pages that most people see, beside what they should have. */
import { newPayment } from '../../e2e/shop.ts'
import { newProfile, openBusyShop, signIn } from '../harness/busy-shop.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import type { Setup } from '../harness/setup.ts'
import { type Category, type Device, lookAt, type Report } from '../harness/lighthouse.ts'
import { median } from '../harness/quantile.ts'

const GOAL = 95

/** Other work of the machine slows a page down at times: the middle one counts. */
const LOOKS = 3

const NAMES: Readonly<Record<Category, string>> = {
  performance: 'performance',
  accessibility: 'accessibility',
  'best-practices': 'best practices',
}

type Subject = {
  readonly name: string
  readonly path: string
  readonly device: Device
  readonly isSignedIn: boolean
}

export const pages: Measurement = { name: 'lighthouse', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const setup = await openBusyShop(cleanup)
  const figures: Figure[] = []
  for (const subject of await subjectsOf(setup)) figures.push(...(await measured(subject, setup, cleanup)))
  return figures
}

async function subjectsOf({ shop }: Setup): Promise<readonly Subject[]> {
  const checkout = `/payments?reference_id=${await newPayment(shop)}`
  const inside = `/project/${shop.project}`
  return [
    { name: 'sign-in', path: '/login', device: 'desktop', isSignedIn: false },
    { name: 'project dashboard', path: `${inside}/dashboard`, device: 'desktop', isSignedIn: true },
    { name: 'all payments', path: `${inside}/payments/allPayments`, device: 'desktop', isSignedIn: true },
    { name: 'checkout', path: checkout, device: 'desktop', isSignedIn: false },
    { name: 'checkout, phone', path: checkout, device: 'mobile', isSignedIn: false },
  ]
}

async function measured(
  { name, path, device, isSignedIn }: Subject,
  setup: Setup,
  cleanup: Cleanup,
): Promise<Figure[]> {
  const { context, port } = await newProfile(cleanup)
  if (isSignedIn) await signIn(context, setup)
  const reports: Report[] = []
  for (let look = 0; look < LOOKS; look += 1) reports.push(await lookAt(setup.instance.url + path, { port, device }))
  await context.close()
  const costs = new Set(reports.flatMap((report) => report.costs))
  if (costs.size > 0) process.stderr.write(`\n  ${name} loses points by ${[...costs].join(', ')}\n`)
  return (Object.keys(NAMES) as Category[]).map((category) => ({
    name: `${NAMES[category]} of ${name}`,
    value: median(reports.map(({ points }) => points[category])),
    unit: 'points',
    limit: { name: 'goal', value: GOAL },
  }))
}
