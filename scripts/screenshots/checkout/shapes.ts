/** The payer's page in mixtures the tests have no sample of: shops of every look, few and many ways to pay, languages. */
import type { CheckoutView, ProjectPublic } from '../../../apps/checkout/src/render/view.ts'
import { translatorOf } from '../../../apps/checkout/src/render/text/translator.ts'
import { LONG_ENGLISH, MIRRORED } from '../../../apps/checkout/src/testing/pseudo.ts'
import { OPTIONS, SAMPLES, sampleOption } from '../../../apps/checkout/src/testing/samples.ts'

const { choose, waiting, paid } = SAMPLES

/** Colours that are hard to write on, and those that vanish in a page. */
const COLOURS = ['#caff54', '#000000', '#ffffff', '#ff0000', '#4b7d87'] as const

const NETWORKS = ['Ethereum', 'Base', 'Polygon', 'Arbitrum One', 'OP Mainnet'] as const
const ASSETS = ['USDC', 'USDT', 'DAI', 'ETH'] as const

/** Every asset on every network: twenty ways. */
const MANY = NETWORKS.flatMap((network, row) =>
  ASSETS.map((asset, column) =>
    sampleOption(asset, `CHAIN${row}`, network, { id: row * ASSETS.length + column, recommended: row + column === 0 }),
  ),
)

/** Views by the name of their picture. */
export function shapes(): Readonly<Record<string, CheckoutView>> {
  return {
    'choose-1': { ...choose, options: OPTIONS.slice(2, 3) },
    'choose-3': { ...choose, options: OPTIONS.slice(0, 3) },
    'choose-20': { ...choose, options: MANY },
    ...Object.fromEntries(COLOURS.map((brandColor) => [`brand-${brandColor.slice(1)}`, shop(choose, { brandColor })])),
    'long-name': shop(waiting, { name: 'Rooftop Bakery & Coffee Roasters, Lisbon' }),
    'with-logo': shop(waiting, { logoPath: '/favicon.svg' }),
    'no-support': shop(paid, { supportEmail: '' }),
    'choose-test': { ...choose, payment: { ...choose.payment, test: true } },
    'waiting-test': { ...waiting, payment: { ...waiting.payment, test: true } },
    'choose-described': described(choose),
    'waiting-described': described(waiting),
    ...inLanguages(),
  }
}

function inLanguages(): Readonly<Record<string, CheckoutView>> {
  const states = ['choose', 'waiting', 'confirming', 'paid', 'partly-open', 'expired'] as const
  const said = (name: string, translator: CheckoutView['translator']) =>
    Object.fromEntries(states.map((state) => [`${state}-${name}`, { ...SAMPLES[state], translator }]))
  return {
    ...said('mirrored', translatorOf(MIRRORED)),
    ...said('long', translatorOf(LONG_ENGLISH)),
    'waiting-arabic': { ...waiting, lang: 'ar' },
    'waiting-german': { ...waiting, lang: 'de' },
    'waiting-screen': { ...waiting, display: 'screen' },
    'paid-screen': { ...paid, display: 'screen' },
    'paid-compact': { ...paid, compact: true },
    'choose-compact': { ...choose, compact: true },
  }
}

function shop(view: CheckoutView, changes: Partial<ProjectPublic>): CheckoutView {
  const merchantName = changes.name ?? view.payment.merchantName
  return { ...view, project: { ...view.project, ...changes }, payment: { ...view.payment, merchantName } }
}

/** What a shop may write at most. */
function described(view: CheckoutView): CheckoutView {
  const description = 'Two bags of Ethiopia Guji, 250 g, whole beans, and one ceramic dripper in matte black. '.repeat(
    5,
  )
  return { ...view, payment: { ...view.payment, description } }
}
