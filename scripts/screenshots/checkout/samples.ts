/** Pages of the payer that a seeded server does not show by itself, drawn from the samples the tests use. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import { renderAddresses } from '../../../apps/checkout/src/render/addresses.ts'
import { renderCheckout } from '../../../apps/checkout/src/render/page.ts'
import { renderReceipt } from '../../../apps/checkout/src/render/receipt.ts'
import type { CheckoutView } from '../../../apps/checkout/src/render/view.ts'
import { translatorOf } from '../../../apps/checkout/src/render/text/translator.ts'
import { MIRRORED } from '../../../apps/checkout/src/testing/pseudo.ts'
import { ADDRESS, SAMPLES } from '../../../apps/checkout/src/testing/samples.ts'
import { VARIANTS } from '../../../apps/checkout/src/testing/variants.ts'
import type { Screen } from '../camera.ts'
import { shapes } from './shapes.ts'

const BUILD = join(import.meta.dirname, '../../../apps/checkout/build')

/** States that need a node to lie, a network to stand still or a person to be slow; the others are seeded. */
const STATES = [
  'network-behind',
  'price-lapsed',
  'detected',
  'late-held',
  'other-network',
  'other-asset',
  'unapplied',
  'on-hold',
  'unavailable',
] as const

/** An account's public key everybody knows: of the words "test test … junk". */
const XPUB =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'

type Built = Readonly<Record<'script' | 'wallet' | 'check' | 'derive', string>>

/** The payer's pages in states of `STATES`, in mixtures of states, in other languages and shapes. */
export function sampleScreens(): readonly Screen[] {
  const built = JSON.parse(readFileSync(join(BUILD, 'manifest.json'), 'utf8')) as Built
  const { choose, waiting, paid } = SAMPLES
  const views: Readonly<Record<string, CheckoutView>> = {
    ...Object.fromEntries(STATES.map((state) => [state, SAMPLES[state]])),
    ...VARIANTS,
    ...shapes(),
  }
  const own = { scriptUrl: `/checkout/${built.script}`, walletUrls: { ETH_Family: `/checkout/${built.wallet}` } }
  const drawn = Object.entries(views).map(([name, view]) => page(name, renderCheckout({ ...view, ...own }).html))
  const waits = renderCheckout({ ...waiting, ...own }).html
  return [
    ...drawn,
    page('receipt-mirrored', renderReceipt({ ...paid, ...own, translator: translatorOf(MIRRORED) }).html),
    ...withoutScript('choose', renderCheckout(choose).html),
    ...withoutScript('waiting', renderCheckout(waiting).html),
    { ...page('offline', waits), act: (shown) => shown.context().setOffline(true), shows: /^You’re offline/ },
    { ...page('menu', waits), isOverlay: true, act: (shown) => shown.locator('#languages summary').click() },
    { ...page('wallet', waits), act: refuseNetwork, shows: 'Switch to Base' },
    ...sentScreens({ own, waits }),
    ...addressScreens(built),
  ]
}

/** What a wallet of the tab has sent, and no node shows yet. */
function sentScreens({
  own,
  waits,
}: {
  readonly own: Partial<CheckoutView>
  readonly waits: string
}): readonly Screen[] {
  const chooses = renderCheckout({ ...SAMPLES.choose, ...own }).html
  const hash = `0x9f3c${'0'.repeat(56)}a01b`
  return [
    { ...page('sent', waits), set: 'A', act: haveSent({ hash }), shows: /^Sent from your wallet/ },
    { ...page('sent-overdue', waits), set: 'A', act: haveSent({ hash, at: 0 }), shows: /^Pay again/ },
    { ...page('sent-unanswered', waits), act: haveSent({ hash: null }), shows: /^Pay again/ },
    {
      ...page('sent-again', waits),
      set: 'A',
      act: haveSent({ hash, paysAgain: true }),
      shows: /^Sent from your wallet/,
    },
    { ...page('sent-too-late', waits), act: haveSent({ hash, end: 'tooLate' }), shows: /^The network did not take/ },
    { ...page('sent-choose', chooses), set: 'A', act: haveSent({ hash }), shows: /^Sent from your wallet/ },
  ]
}

/** As a page finds it in its tab when it is loaded again. */
function haveSent(changes: Readonly<Record<string, unknown>>): (shown: Page) => Promise<void> {
  const sent = { amount: '49 USDC', network: 'Base', chain: 'BASE', link: 'https://basescan.org/tx/0x9f3c', ...changes }
  return async (shown) =>
    shown.evaluate(`{
      const { reference } = document.getElementById('view').dataset
      sessionStorage.setItem('kassa.checkout.sent', JSON.stringify([{ reference, at: Date.now(), ...${JSON.stringify(sent)} }]))
      dispatchEvent(new Event('pageshow'))
    }`)
}

function page(name: string, document: string): Screen {
  const set = name.endsWith('-mirrored') ? 'C' : 'B'
  return { name: `checkout-${name}`, set, path: `/payments?reference_id=${name}`, shows: /\w/, document }
}

/** As a browser shows it that runs no scripts. */
function withoutScript(name: string, document: string): readonly Screen[] {
  return [page(`${name}-no-script`, document.replace(/<script src[^>]*><\/script>/, ''))]
}

/** A wallet that is on another network. */
async function refuseNetwork(page: Page): Promise<void> {
  await page.evaluate(`addEventListener('eip6963:requestProvider', () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: {
    info: { uuid: 'fake', name: 'Fake', icon: '' },
    provider: { request: async ({ method }) => (method === 'eth_chainId' ? '0x1' : ['0x1111111111111111111111111111111111111111']) },
  } })))
  dispatchEvent(new Event('eip6963:requestProvider'))`)
  await page.locator('#pay-with-wallet').click()
}

function addressScreens({ check, derive }: Built): readonly Screen[] {
  const view = {
    link: '',
    address: ADDRESS,
    publicKey: 'mFYZHqJxk9Zk2mB1W1c3h0c3h0c3h0c3h0c3h0c3h0c=',
    scriptUrl: `/checkout/${check}`,
    deriveScript: readFileSync(join(BUILD, derive), 'utf8'),
  }
  const draw = (tab: 'real' | 'derive') => renderAddresses({ ...view, tab }).html
  const screen = (name: string, tab: 'real' | 'derive'): Screen => ({
    name: `addresses-${name}`,
    path: `/addresses?name=${name}`,
    shows: 'Check an address',
    document: draw(tab),
  })
  return [
    screen('real', 'real'),
    {
      ...screen('no-link', 'real'),
      shows: 'This is not a payment link.',
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Payment link' }).fill('hello')
        await page.getByRole('button', { name: 'Check' }).click()
      },
    },
    {
      ...screen('derived', 'derive'),
      shows: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Extended public key' }).fill(XPUB)
        await page.getByRole('button', { name: 'Show addresses' }).click()
      },
    },
    {
      ...screen('refused', 'derive'),
      shows: 'This is a private key.',
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Extended public key' }).fill('ab'.repeat(32))
        await page.getByRole('button', { name: 'Show addresses' }).click()
      },
    },
  ]
}
