import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import { renderDocument } from './layout/document.ts'
import { languageMenu, themeMenu } from './layout/header.ts'
import { drawnTheme } from './layout/theme.ts'
import { html } from './markup/html.ts'
import type { Html } from './markup/html.ts'
import { findLanguage } from './text/languages.ts'
import type { Rendered, Preferences } from './view.ts'
import { translatorFor } from './text/translator.ts'
import type { Translator } from './text/translator.ts'

/** The page "Check an address" (screens.md 3.46), one tab of it. */
export type AddressesView = Preferences & {
  /** `real` asks this server and checks its signature; `derive` can connect to nothing. */
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

/**
 * Wallets whose addresses come from one extended public key, with what each kind of network calls itself; those of Solana
 * come as a list.
 */
const KINDS = {
  evm: namesOf('ETH_Family'),
  tron: namesOf('TRX_Family'),
  bitcoin: namesOf('BTC_Family'),
  solana: namesOf('SOL_Family'),
} as const

export type Kind = keyof typeof KINDS

function namesOf(family: ChainFamily): string {
  return BLOCKCHAINS.filter((one) => one.family === family)
    .map(({ name }) => name)
    .join(', ')
}

/** The scripts of the two tabs: one is loaded, the other stands in its page. */
type Scripts = { readonly checkUrl: string; readonly deriveText: () => string }

/** Draws what the query of `/addresses` asks for; a key that is sent twice arrives as a list, and means nothing. */
export function answerAddresses(
  query: Readonly<Record<string, unknown>>,
  preferences: Preferences,
  publicKey: string,
  { checkUrl, deriveText }: Scripts,
): Rendered {
  const text = (key: string) => (typeof query[key] === 'string' ? query[key] : '')
  const tab = text('tabId') === 'derive' ? 'derive' : 'real'
  return renderAddresses({
    ...preferences,
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
  const translator = translatorFor(view)
  const pageUrl = `/addresses${query(view, view.tab, view.tab === 'real' ? askedIn(view) : {})}`
  const content = view.tab === 'real' ? realTab(view, translator) : deriveTab(translator)
  return renderDocument({
    title: translator.text('addresses.title'),
    main: html`<main>
      <div class="card">
        <h1 id="headline">${translator.say('addresses.title')}</h1>
        ${tabs(view, translator)}
        <noscript><p class="note">${translator.say('addresses.needsScript')}</p></noscript>
        ${content}${backToPayment(view, translator)}
      </div>
    </main>`,
    translator: translator,
    brandColor: '',
    theme: drawnTheme(view.theme),
    shape: 'plain',
    header: html`<header class="head">
      <span class="name"></span
      >${languageMenu(translator, pageUrl)}${themeMenu(translator, pageUrl, drawnTheme(view.theme))}
    </header>`,
    script: view.tab === 'real' ? { url: view.scriptUrl } : { inline: view.deriveScript },
  })
}

/** Each tab is a page of its own: the page that derives addresses of a key may connect to nothing. */
function tabs(view: AddressesView, translator: Translator): Html {
  const tab = (name: AddressesView['tab'], text: Html) =>
    html`<a href="/addresses${query(view, name)}" ${name === view.tab && html` aria-current="page"`}>${text}</a>`
  return html`<nav class="tabs" aria-label="${translator.text('addresses.title')}">
    ${tab('real', translator.say('addresses.real'))}${tab('derive', translator.say('addresses.derive'))}
  </nav>`
}

/** What the payment's page filled in stays when the language changes. */
function askedIn({ link, address }: AddressesView): Readonly<Record<string, string>> {
  return { ...(link !== '' && { reference_id: link }), ...(address !== '' && { address }) }
}

const REFERENCE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The link back to the page before. */
function backToPayment(view: AddressesView, translator: Translator): Html | null {
  if (view.tab !== 'real' || !REFERENCE.test(view.link)) return null
  const url = `/payments${query(view, 'real', { reference_id: view.link })}`
  return html`<p class="after"><a href="${url}">${translator.say('addresses.back')}</a></p>`
}

function query(
  { lang, theme }: Preferences,
  tab: AddressesView['tab'],
  more: Readonly<Record<string, string>> = {},
): string {
  const language = lang === undefined ? undefined : findLanguage(lang)
  const preferences = new URLSearchParams({
    ...more,
    ...(tab === 'derive' && { tabId: tab }),
    ...(language && { lang: language.code }),
    ...(theme && { theme }),
  }).toString()
  return preferences === '' ? '' : `?${preferences}`
}

function realTab({ link, address, publicKey }: AddressesView, translator: Translator): Html {
  const names = { merchant: '{merchant}', network: '{network}' }
  const networks = Object.fromEntries(BLOCKCHAINS.map(({ code, name }) => [code, name]))
  return html`<p class="muted">${translator.say('addresses.realHelp')}</p>
    <form class="stack" id="check-address" data-script>
      ${field('link', translator.text('addresses.link'), link)}${field('address', translator.text('addresses.address'), address)}
      <button class="button primary">${translator.say('addresses.check')}</button>
    </form>
    <div
      id="answer"
      role="status"
      data-key="${publicKey}"
      data-networks="${JSON.stringify(networks)}"
      data-busy="${translator.text('finding')}"
      data-yes="${translator.text('addresses.yes', names)}"
      data-no="${translator.text('addresses.no')}"
      data-none="${translator.text('addresses.none')}"
      data-bad-link="${translator.text('addresses.badLink')}"
      data-unknown="${translator.text('unknown.title')}"
      data-failed="${translator.text('notFindable')}"
      data-given="${translator.text('addresses.given')}"
      data-pasted="${translator.text('addresses.pasted')}"
    ></div>
    <p class="hint">
      ${translator.say('addresses.key', { key: html`<bdi dir="ltr" class="mono">${publicKey}</bdi>` })}
    </p>`
}

/** Nothing here has a name: no form can send it. */
function deriveTab(translator: Translator): Html {
  return html`<p class="muted">${translator.say('addresses.deriveHelp')}</p>
    <form class="stack" id="derive" data-script>
      ${field('xpub', translator.text('addresses.xpub'), '')}
      <div class="field">
        <label for="kind">${translator.say('network')}</label>
        <select class="input" id="kind">
          ${Object.entries(KINDS).map(([kind, name]) => html`<option value="${kind}">${name}</option>`)}
        </select>
      </div>
      <button class="button primary">${translator.say('addresses.show')}</button>
    </form>
    <div
      id="answer"
      role="status"
      data-list="${translator.text('addresses.list')}"
      data-secret="${translator.text('addresses.secret')}"
      data-bad-key="${translator.text('addresses.badKey')}"
      data-bad-list="${translator.text('addresses.badList')}"
      data-depth="${translator.text('addresses.depth', { depth: '{depth}' })}"
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
