import { ownInvoice } from '@kassa/contract/payments/invoice.ts'
import { about } from './panels/about.ts'
import { usd } from './text/amounts.ts'
import { APPEARANCE, GLYPHS } from './panels/appearance.ts'
import { askSection } from './panels/ask.ts'
import { choosePanel } from './panels/choose.ts'
import { renderDocument } from './layout/document.ts'
import { footer } from './layout/footer.ts'
import { drawnTheme } from './layout/theme.ts'
import { merchantHeader, shopSign } from './layout/header.ts'
import { html } from './markup/html.ts'
import type { Html } from './markup/html.ts'
import { icon } from './markup/icons.ts'
import { outcomePanel } from './panels/outcome.ts'
import { payPanel } from './panels/pay.ts'
import { revision } from './revision.ts'
import { isPaid, lockEnd } from './rules.ts'
import type { StateName } from './rules.ts'
import { viewModelOf } from './view-model.ts'
import type { ViewModel } from './view-model.ts'
import { refusalText } from './text/refusals.ts'
import { statusOf } from './text/state-texts.ts'
import { sentSection } from './panels/sent.ts'
import { payFacts, walletSection } from './panels/wallet.ts'
import type { CheckoutView, Refused, Rendered, Preferences } from './view.ts'
import { timeToCome, translatorFor } from './text/translator.ts'
import type { Translator } from './text/translator.ts'

const PANELS = { choose: choosePanel, pay: payPanel, outcome: outcomePanel }

/** These states show a price that runs out. */
const WITH_PRICE: ReadonlySet<string> = new Set(['waiting', 'network-behind', 'partly-open'])

/** These have no price, and show until when one can be taken. */
const WITH_END: ReadonlySet<string> = new Set(['choose', 'price-lapsed'])

/**
 * What no event of the payment tells (a network that is behind, a price that is back) is seen by looking again: often where
 * the page waits for just that, seldom elsewhere.
 */
const AWAITED: ReadonlySet<StateName> = new Set(['network-behind', 'unavailable'])
const AWAITED_SECONDS = 15
const IDLE_SECONDS = 60

/** Draws the page of one payment as it is now, at `/payments` or, compact, at `/pay`. */
export function renderCheckout(view: CheckoutView): Rendered {
  const viewModel = viewModelOf(view)
  const { panel } = APPEARANCE[viewModel.state]
  const { translator } = viewModel
  const status = statusOf(viewModel)
  const content = html`${errorNote(translator, view.error)}${bill(viewModel)}${about(viewModel)}${PANELS[panel](viewModel)}${manualCheck(viewModel)}`
  return renderDocument({
    title: `${status} · ${viewModel.merchant}`,
    main: liveMain(viewModel, content, status),
    translator,
    brandColor: view.project.brandColor,
    theme: viewModel.theme,
    shape: view.display ?? (view.compact === true ? 'compact' : 'plain'),
    header: view.display === 'screen' ? shopSign(viewModel) : merchantHeader(viewModel, viewModel.pageUrl),
    footer: footer(viewModel),
    script: { url: view.scriptUrl },
    refreshEvery: view.refreshEvery,
    isTest: view.payment.test,
    isLive: true,
  })
}

/** Draws the 404 of an unknown reference. */
export function renderUnknown(preferences: Preferences = {}): Rendered {
  const translator = translatorFor(preferences)
  return renderTexts(
    translator,
    translator.text('unknown.title'),
    html`<p class="muted">${translator.say('unknown.body')}</p>`,
    preferences,
  )
}

/** Draws the page of a failure; its reference leads to it in the logs. */
export function renderFault(requestId: string, preferences: Preferences = {}): Rendered {
  const translator = translatorFor(preferences)
  const body = html`<p class="muted">${translator.say('fault.body')}</p>
    <p class="muted">${translator.say('fault.reference', { requestId })}</p>`
  return renderTexts(translator, translator.text('fault.title'), body, preferences)
}

function renderTexts(translator: Translator, title: string, body: Html, { theme }: Preferences): Rendered {
  const main = html`<main>
    <div class="card">
      <div class="outcome">
        <div class="disc neutral">${icon('cross')}</div>
        <div class="words">
          <h1>${title}</h1>
          ${body}
        </div>
      </div>
    </div>
  </main>`
  const header = html`<div class="head"></div>`
  return renderDocument({
    ...{ title, main, translator, header },
    brandColor: '',
    theme: drawnTheme(theme),
    shape: 'plain',
  })
}

/** Draws the part that the script keeps up to date, and the regions that speak. */
export function liveMain(viewModel: ViewModel, content: Html, status: string): Html {
  const { payment, state, now } = viewModel
  const { tone, panel } = APPEARANCE[state]
  const isAwaited = AWAITED.has(state) || payment.waitsBecause !== null
  const shop = viewModel.compact === true && viewModel.shopOrigin
  const pay = payFacts(viewModel)
  return html`<main id="checkout" tabindex="-1">
    ${sentSection(viewModel)}
    <div
      class="card"
      id="view"
      data-reference="${payment.referenceID}"
      data-state="${state}"
      data-revision="${revision(payment)}"
      data-now="${now.toISOString()}"
      data-refresh="${isAwaited ? AWAITED_SECONDS : IDLE_SECONDS}"
      ${isPaid(payment) && html` data-settled`}${shop && html` data-shop="${shop}"`}${pay !== null && html` data-pay="${JSON.stringify(pay)}"`}
    >
      ${content}
    </div>
    ${walletSection(viewModel)}${askSection(viewModel)}
    <p class="status ${tone}${panel !== 'pay' && ' vh'}" id="status" role="status" data-glyph="${GLYPHS[tone]}">
      ${status}
    </p>
    <p class="vh" id="spoken" aria-live="polite"></p>
  </main>`
}

function bill(viewModel: ViewModel): Html {
  const { payment, merchant, compact, display, translator } = viewModel
  const isNameless = compact === true && display !== 'screen'
  const own = ownInvoice(payment)
  const invoice = compact !== true && own !== '' && html`<span>${translator.say('invoice', { invoice: own })}</span>`
  return html`<div class="bill">
    ${isNameless && html`<b><bdi>${merchant}</bdi></b>`}<b>${usd(payment.amountInUSD)}</b>${invoice}${countdown(viewModel)}
  </div>`
}

/** Draws the end as a clock time; the script counts down the last hour. For a price, screen readers announce the last minutes. */
function countdown({ state, payment, translator, now }: ViewModel): Html | null {
  const hasPrice = WITH_PRICE.has(state)
  if (!hasPrice && !WITH_END.has(state)) return null
  const until = hasPrice ? lockEnd(payment) : payment.expiresAt
  const left = translator.text('left', { time: '{time}' })
  return html`<span class="clock" id="clock"
    >${icon('clock')}<time datetime="${until.toISOString()}" data-left="${left}" ${hasPrice && spokenMarks(translator)}
      >${translator.text('until', { time: timeToCome(translator, until, now) })}</time
    ></span
  >`
}

function spokenMarks(translator: Translator): Html {
  const spoken = (minutes: number) => translator.text('minutesLeft', { minutes })
  return html` data-spoken-10="${spoken(10)}" data-spoken-5="${spoken(5)}" data-spoken-1="${spoken(1)}"
  data-spoken-0="${translator.text('timeUp')}"`
}

function errorNote(translator: Translator, error: Refused | undefined): Html | null {
  if (error === undefined) return null
  return html`<p class="note alert" role="alert">${icon('warning')}<span>${refusalText(translator, error)}</span></p>`
}

function manualCheck(viewModel: ViewModel): Html | null {
  if (isPaid(viewModel.payment) || viewModel.state === 'choose' || viewModel.state === 'unavailable') return null
  const { translator } = viewModel
  const refreshing = viewModel.refreshEvery !== undefined
  const refresh = html`<a href="${viewModel.pageUrl}${!refreshing && '&refresh=30'}"
    >${translator.say(refreshing ? 'stopRefresh' : 'refresh')}</a
  >`
  return html`<p class="after" data-noscript>
    <a href="${viewModel.pageUrl}${refreshing && '&refresh=30'}">${translator.say('check')}</a>${refresh}
  </p>`
}
