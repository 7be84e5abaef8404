import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { renderDocument } from './document.ts'
import { languageMenu, themeMenu } from './header.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { findLanguage } from './languages.ts'
import type { Rendered, Wishes } from './view.ts'
import { wordsFor } from './words.ts'
import type { Words } from './words.ts'

/** The page "Check an address" (screens.md 3.46), one tab of it. */
export type AddressesView = Wishes & {
  /** `real` asks this server and checks its signature; `derive` can reach nobody. */
  readonly tab: 'real' | 'derive'
  /** What the payment's page filled in. */
  readonly link: string
  readonly address: string
  /** Ed25519, base64: what proofs are checked with. */
  readonly publicKey: string
  readonly scriptUrl: string
  /** The text of the script that derives: it stands in the page, so that the page works saved, without us. */
  readonly deriveScript: string
}

/** Wallets whose addresses come from one extended public key, with what each kind of network calls itself. */
const KINDS = { evm: 'Ethereum, Base, Polygon', tron: 'Tron', bitcoin: 'Bitcoin' } as const

export type Kind = keyof typeof KINDS

/** The scripts of the two tabs: one is loaded, the other stands in its page. */
type Scripts = { readonly checkUrl: string; readonly deriveText: () => string }

/** Draws what the query of `/addresses` asks for; a key that is sent twice arrives as a list, and means nothing. */
export function answerAddresses(
  query: Readonly<Record<string, unknown>>,
  wishes: Wishes,
  publicKey: string,
  { checkUrl, deriveText }: Scripts,
): Rendered {
  const text = (key: string) => (typeof query[key] === 'string' ? query[key] : '')
  const tab = text('tabId') === 'derive' ? 'derive' : 'real'
  return renderAddresses({
    ...wishes,
    tab,
    link: text('reference_id'),
    address: text('address'),
    publicKey,
    scriptUrl: checkUrl,
    deriveScript: tab === 'derive' ? deriveText() : '',
  })
}

/** Draws `/addresses`. */
export function renderAddresses(view: AddressesView): Rendered {
  const words = wordsFor(view)
  const pageUrl = `/addresses${query(view, view.tab, view.tab === 'real' ? askedIn(view) : {})}`
  const content = view.tab === 'real' ? realTab(view, words) : deriveTab(words)
  return renderDocument({
    title: words.text('addresses.title'),
    main: html`<main>
      <div class="card">
        <h1 id="headline">${words.say('addresses.title')}</h1>
        ${tabs(view, words)}
        <noscript><p class="note">${words.say('addresses.needsScript')}</p></noscript>
        ${content}${backToPayment(view, words)}
      </div>
    </main>`,
    words,
    brandColor: '',
    theme: view.theme,
    shape: 'plain',
    header: html`<header class="head">
      <span class="name"></span>${languageMenu(words, pageUrl)}${themeMenu(words, pageUrl, view.theme)}
    </header>`,
    script: view.tab === 'real' ? { url: view.scriptUrl } : { inline: view.deriveScript },
  })
}

/** Each tab is a page of its own: what may derive a key's addresses may reach nobody. */
function tabs(view: AddressesView, words: Words): Html {
  const tab = (name: AddressesView['tab'], text: Html) =>
    html`<a href="/addresses${query(view, name)}" ${name === view.tab && html` aria-current="page"`}>${text}</a>`
  return html`<nav class="tabs" aria-label="${words.text('addresses.title')}">
    ${tab('real', words.say('addresses.real'))}${tab('derive', words.say('addresses.derive'))}
  </nav>`
}

/** What the payment's page filled in stays when the language changes. */
function askedIn({ link, address }: AddressesView): Readonly<Record<string, string>> {
  return { ...(link !== '' && { reference_id: link }), ...(address !== '' && { address }) }
}

const REFERENCE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The way back to where somebody comes from. */
function backToPayment(view: AddressesView, words: Words): Html | null {
  if (view.tab !== 'real' || !REFERENCE.test(view.link)) return null
  const url = `/payments${query(view, 'real', { reference_id: view.link })}`
  return html`<p class="after"><a href="${url}">${words.say('addresses.back')}</a></p>`
}

function query(
  { lang, theme }: Wishes,
  tab: AddressesView['tab'],
  more: Readonly<Record<string, string>> = {},
): string {
  const language = lang === undefined ? undefined : findLanguage(lang)
  const wishes = new URLSearchParams({
    ...more,
    ...(tab === 'derive' && { tabId: tab }),
    ...(language && { lang: language.code }),
    ...(theme && { theme }),
  }).toString()
  return wishes === '' ? '' : `?${wishes}`
}

function realTab({ link, address, publicKey }: AddressesView, words: Words): Html {
  const names = { merchant: '{merchant}', network: '{network}' }
  const networks = Object.fromEntries(BLOCKCHAINS.map(({ code, name }) => [code, name]))
  return html`<p class="muted">${words.say('addresses.realHelp')}</p>
    <form class="stack" id="check-address" data-script>
      ${field('link', words.text('addresses.link'), link)}${field('address', words.text('addresses.address'), address)}
      <button class="button primary">${words.say('addresses.check')}</button>
    </form>
    <div
      id="answer"
      role="status"
      data-key="${publicKey}"
      data-networks="${JSON.stringify(networks)}"
      data-busy="${words.text('finding')}"
      data-yes="${words.text('addresses.yes', names)}"
      data-no="${words.text('addresses.no')}"
      data-none="${words.text('addresses.none')}"
      data-bad-link="${words.text('addresses.badLink')}"
      data-unknown="${words.text('unknown.title')}"
      data-failed="${words.text('notFindable')}"
      data-given="${words.text('addresses.given')}"
      data-pasted="${words.text('addresses.pasted')}"
    ></div>
    <p class="hint">${words.say('addresses.key', { key: html`<bdi dir="ltr" class="mono">${publicKey}</bdi>` })}</p>`
}

/** Nothing here has a name: no form can send it. */
function deriveTab(words: Words): Html {
  return html`<p class="muted">${words.say('addresses.deriveHelp')}</p>
    <form class="stack" id="derive" data-script>
      ${field('xpub', words.text('addresses.xpub'), '')}
      <div class="field">
        <label for="kind">${words.say('network')}</label>
        <select class="input" id="kind">
          ${Object.entries(KINDS).map(([kind, name]) => html`<option value="${kind}">${name}</option>`)}
        </select>
      </div>
      <button class="button primary">${words.say('addresses.show')}</button>
    </form>
    <div
      id="answer"
      role="status"
      data-list="${words.text('addresses.list')}"
      data-secret="${words.text('addresses.secret')}"
      data-bad-key="${words.text('addresses.badKey')}"
      data-depth="${words.text('addresses.depth', { depth: '{depth}' })}"
    ></div>`
}

function field(id: string, label: string, value: string): Html {
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      class="input mono"
      id="${id}"
      value="${value}"
      dir="ltr"
      required
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
    />
  </div>`
}
