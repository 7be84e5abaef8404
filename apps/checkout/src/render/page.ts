import { usd } from './amounts.ts'
import { APPEARANCE, GLYPHS } from './appearance.ts'
import { askSection } from './ask.ts'
import { choosePanel } from './choose.ts'
import { merchantHeader, renderDocument } from './document.ts'
import { footer } from './footer.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { icon } from './marks.ts'
import { MESSAGES, say, sayText, TEXTS } from './messages.ts'
import { outcomePanel } from './outcome.ts'
import { payPanel } from './pay.ts'
import { revision } from './revision.ts'
import { isPaid, lockEnd } from './rules.ts'
import type { StateName } from './rules.ts'
import { subjectOf } from './subject.ts'
import type { Subject } from './subject.ts'
import { clockTime } from './times.ts'
import type { CheckoutView, Rendered, Theme } from './view.ts'

const PANELS = { choose: choosePanel, pay: payPanel, outcome: outcomePanel }

/** These states show a price that runs out. */
const WITH_CLOCK: ReadonlySet<string> = new Set(['waiting', 'network-behind', 'partly-open'])

/**
 * What no event of the payment tells (a network that is behind, a price that is back) is seen by looking again: often where
 * the page waits for just that, seldom elsewhere.
 */
const AWAITED: ReadonlySet<StateName> = new Set(['network-behind', 'unavailable'])
const AWAITED_SECONDS = 15
const IDLE_SECONDS = 60

/** Draws the page of one payment as it is now, at `/payments` or, compact, at `/pay`. */
export function renderCheckout(view: CheckoutView): Rendered {
  const subject = subjectOf(view)
  const { panel } = APPEARANCE[subject.state]
  const status = statusText(subject)
  const content = html`${errorNote(view.error)}${bill(subject)}${PANELS[panel](subject)}${manualCheck(subject)}`
  return renderDocument({
    title: `${status} · ${subject.merchant}`,
    main: liveMain(subject, content, status),
    brandColor: view.project.brandColor,
    theme: view.theme,
    compact: view.compact === true,
    header: merchantHeader(view.project, subject.merchant, view.siteUrl),
    footer: footer(subject, subject.pageUrl),
    scriptUrl: view.scriptUrl,
    refreshEvery: view.refreshEvery,
    isTest: view.payment.test,
  })
}

/** Draws the 404 of a reference nobody gave out. */
export function renderUnknown(theme?: Theme): Rendered {
  return renderWords(TEXTS.unknownTitle, html`<p class="muted">${TEXTS.unknownBody}</p>`, theme)
}

/** Draws what stands in for a page that failed; the reference leads to it in the logs. */
export function renderFault(requestId: string, theme?: Theme): Rendered {
  const words = html`<p class="muted">${TEXTS.faultBody}</p>
    <p class="muted">${say(TEXTS.faultReference, { requestId })}</p>`
  return renderWords(TEXTS.faultTitle, words, theme)
}

function renderWords(title: string, words: Html, theme: Theme | undefined): Rendered {
  const main = html`<main>
    <div class="card">
      <div class="outcome">
        <div class="disc neutral">${icon('cross')}</div>
        <div class="words">
          <h1>${title}</h1>
          ${words}
        </div>
      </div>
    </div>
  </main>`
  return renderDocument({ title, main, brandColor: '', theme, compact: false, header: html`<div class="head"></div>` })
}

/** Draws the part that the script keeps up to date, and the regions that speak. */
export function liveMain(subject: Subject, content: Html, status: string): Html {
  const { payment, state, now } = subject
  const { tone, panel } = APPEARANCE[state]
  const isAwaited = AWAITED.has(state) || payment.waitsBecause !== null
  const shop = subject.compact === true && subject.shopOrigin
  return html`<main id="checkout" tabindex="-1">
    <div
      class="card"
      id="view"
      data-reference="${payment.referenceID}"
      data-state="${state}"
      data-revision="${revision(payment)}"
      data-now="${now.toISOString()}"
      data-refresh="${isAwaited ? AWAITED_SECONDS : IDLE_SECONDS}"
      ${isPaid(payment) && html` data-settled`}${shop && html` data-shop="${shop}"`}
    >
      ${content}
    </div>
    ${askSection(subject)}
    <p class="status ${tone}${panel !== 'pay' && ' vh'}" id="status" role="status" data-glyph="${GLYPHS[tone]}">
      ${status}
    </p>
    <p class="vh" id="spoken" aria-live="polite"></p>
  </main>`
}

function statusText({ state, network, payment }: Subject): string {
  return sayText(MESSAGES[state].status, {
    network,
    current: payment.confirmationCurrent,
    required: payment.confirmationRequired,
  })
}

function bill(subject: Subject): Html {
  const { payment, merchant, compact } = subject
  const invoice =
    compact !== true &&
    payment.invoiceID !== '' &&
    html`<span>${say(TEXTS.invoice, { invoice: payment.invoiceID })}</span>`
  const clock = WITH_CLOCK.has(subject.state) && countdown(lockEnd(payment))
  return html`<div class="bill">
    ${compact === true && html`<b><bdi>${merchant}</bdi></b>`}<b>${usd(payment.amountInUSD)}</b>${invoice}${clock}
  </div>`
}

/** The clock time stands for everyone; the script makes minutes and seconds of it. */
function countdown(until: Date): Html {
  const spoken = [10, 5].map((minutes) => sayText(TEXTS.minutesLeft, { minutes }))
  return html`<span class="clock" id="clock"
    >${icon('clock')}<time
      datetime="${until.toISOString()}"
      data-left="${TEXTS.left}"
      data-spoken-10="${spoken[0]}"
      data-spoken-5="${spoken[1]}"
      data-spoken-1="${TEXTS.minuteLeft}"
      data-spoken-0="${TEXTS.timeUp}"
      >${sayText(TEXTS.until, { time: clockTime(until) })}</time
    ></span
  >`
}

function errorNote(error: string | undefined): Html | null {
  if (error === undefined || error === '') return null
  return html`<p class="note alert" role="alert">${icon('warning')}<span>${error}</span></p>`
}

function manualCheck(subject: Subject): Html | null {
  if (isPaid(subject.payment) || subject.state === 'choose' || subject.state === 'unavailable') return null
  const refreshing = subject.refreshEvery !== undefined
  const refresh = html`<a href="${subject.pageUrl}${!refreshing && '&refresh=30'}"
    >${refreshing ? TEXTS.stopRefresh : TEXTS.refresh}</a
  >`
  return html`<p class="after" data-noscript>
    <a href="${subject.pageUrl}${refreshing && '&refresh=30'}">${TEXTS.check}</a>${refresh}
  </p>`
}
