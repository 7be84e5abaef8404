import { amountText, usd } from '../text/amounts.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import type { TextKey } from '../text/languages.ts'
import type { Translator } from '../text/translator.ts'
import type { PromoterPage, PromoterView } from './view.ts'

/** What the server refuses a withdrawal with, and how it is said here. */
const REFUSALS: Readonly<Record<string, TextKey>> = {
  OTP_INVALID: 'refused.OTP_INVALID',
  OTP_EXPIRED: 'refused.OTP_EXPIRED',
  WITHDRAWAL_BELOW_MINIMUM: 'refused.WITHDRAWAL_BELOW_MINIMUM',
  INSUFFICIENT_FUNDS: 'refused.INSUFFICIENT_FUNDS',
  AMOUNT_OUT_OF_RANGE: 'refused.AMOUNT_OUT_OF_RANGE',
  ADDRESS_INVALID: 'refused.ADDRESS_INVALID',
  ADDRESS_IS_OURS: 'refused.ADDRESS_BLOCKED',
  ADDRESS_BLOCKED: 'refused.ADDRESS_BLOCKED',
  ASSET_NOT_PAYABLE: 'refused.ASSET_NOT_PAYABLE',
  RATE_UNAVAILABLE: 'refused.RATE_UNAVAILABLE',
  REFERRER_INACTIVE: 'promoter.inactive',
  SMTP_NOT_CONFIGURED: 'refused.SMTP_NOT_CONFIGURED',
  REFERRAL_TOKEN_INVALID: 'promoter.expired',
  RATE_LIMITED: 'promoter.tooMany',
  VALIDATION_FAILED: 'promoter.checkFields',
}

/** Draws the form of a withdrawal: amount, currency, address, then the code from the mail. */
export function withdrawSection({ page }: PromoterView, translator: Translator): Html | null {
  const payable = page.balances
    .filter(({ available }) => Number(available) > 0)
    .toSorted((a, b) => Number(b.available) - Number(a.available))
  if (page.referrer.status !== 'active' || page.payableIn.length === 0) return null
  const minimum = translator.say('promoter.minimum', { amount: usd(page.minWithdrawal) })
  const [first] = payable
  if (first === undefined) {
    return html`<section class="part withdraw" id="withdraw"><p class="muted">${minimum}</p></section>`
  }
  return html`<section class="part withdraw" id="withdraw" aria-labelledby="withdraw-name">
    <h2 id="withdraw-name">${translator.say('promoter.withdraw')}</h2>
    <noscript><p class="note">${translator.say('promoter.needsScript')}</p></noscript>
    <form class="stack" id="withdrawal" autocomplete="off" data-script ${messages(page, first, translator)}>
      ${payable.length > 1 && sources(payable, translator)}
      <div class="field">
        <label for="amount">${translator.say('promoter.amount', { currency: first.currencyCode })}</label>
        <input
          class="input"
          id="amount"
          name="amount"
          inputmode="decimal"
          dir="ltr"
          required
          value="${first.available}"
          aria-describedby="amount-help"
        />
        <p class="hint" id="amount-help">${minimum}</p>
      </div>
      <div class="field">
        <label for="asset">${translator.say('promoter.asset')}</label>
        <select class="input" id="asset" name="asset">
          ${page.payableIn.map(({ currencyCode, blockchainCode, blockchainName: network }) => html`<option value="${blockchainCode}:${currencyCode}">${translator.text('option', { currency: currencyCode, network })}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for="address">${translator.say('promoter.address')}</label>
        <input
          class="input mono"
          id="address"
          name="address"
          dir="ltr"
          required
          maxlength="128"
          autocapitalize="none"
          spellcheck="false"
          aria-describedby="address-help"
        />
        <p class="hint" id="address-help">${translator.say('promoter.addressHelp')}</p>
      </div>
      <button class="button primary" id="send-code">${translator.say('promoter.sendCode')}</button>
    </form>
    ${confirmation(page, translator)}
    <p class="verdict warning" id="refusal" role="alert" data-glyph="!" hidden></p>
  </section>`
}

/** Draws what is asked once the code was mailed: that code, below what it releases. */
function confirmation(page: PromoterPage, translator: Translator): Html {
  return html`<form class="stack" id="confirmation" autocomplete="off" data-script hidden>
    <p>${translator.say('promoter.codeSent', { email: html`<bdi dir="ltr">${page.referrer.email}</bdi>` })}</p>
    <dl class="rows">
      <div>
        <dt>${translator.say('promoter.withdraw')}</dt>
        <dd><bdi dir="ltr" id="spelled-amount"></bdi></dd>
      </div>
      <div>
        <dt>${translator.say('promoter.address')}</dt>
        <dd><bdi dir="ltr" class="spelled" id="spelled-address"></bdi></dd>
      </div>
    </dl>
    <div class="field">
      <label for="otp">${translator.say('promoter.mailedCode')}</label>
      <input
        class="input mono"
        id="otp"
        name="otp"
        inputmode="numeric"
        dir="ltr"
        required
        pattern="[0-9]{6}"
        maxlength="6"
        autocomplete="one-time-code"
      />
    </div>
    <div class="actions">
      <button class="button primary" id="confirm">${translator.say('promoter.withdraw')}</button>
      <button class="button" type="button" id="change">${translator.say('change')}</button>
    </div>
  </form>`
}

/** With rewards in several currencies, one withdrawal takes from one of them. */
function sources(payable: PromoterPage['balances'], translator: Translator): Html {
  return html`<div class="field">
    <label for="source">${translator.say('promoter.from')}</label>
    <select class="input" id="source" name="source">
      ${payable.map(({ currencyCode, available }) => html`<option value="${currencyCode}" data-available="${available}">${amountText(available, currencyCode)}</option>`)}
    </select>
  </div>`
}

/** The sentences the script needs, because the server's answers to it are codes. */
function messages(page: PromoterPage, first: PromoterPage['balances'][number], translator: Translator): Html {
  const minimum = usd(page.minWithdrawal)
  const said = Object.entries(REFUSALS).map(([code, key]) => [
    code,
    translator.text(key, { amount: minimum, merchant: page.project.name, time: '{time}' }),
  ])
  return html` data-refusals="${JSON.stringify(Object.fromEntries(said))}"
  data-failed="${translator.text('notFindable')}" data-requested="${translator.text('promoter.requested')}"
  data-amount="${translator.text('promoter.amount', { currency: '{currency}' })}" data-source="${first.currencyCode}"`
}
