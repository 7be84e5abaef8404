import type { RefundClaim } from '@kassa/contract/refund-claims/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { renderDocument } from './layout/document.ts'
import { helpFooter } from './layout/footer.ts'
import { merchantHeader } from './layout/header.ts'
import { html } from './markup/html.ts'
import type { Html } from './markup/html.ts'
import { spelledAddress } from './markup/spelled-address.ts'
import { refusalText } from './text/refusals.ts'
import type { TextKey } from './text/languages.ts'
import { viewModelOf } from './view-model.ts'
import type { ViewModel } from './view-model.ts'
import type { CheckoutView, Rendered } from './view.ts'

/** What the payer typed, when it was refused. */
export type TypedClaim = { readonly blockchainCode: string; readonly address: string }

/** What becomes of a claim, by its status. */
const CLAIM_TEXTS = {
  open: 'refund.open',
  accepted: 'refund.accepted',
  declined: 'refund.declined',
} as const satisfies Record<RefundClaim['status'], TextKey>

/** No address of any network is longer. */
const LONGEST_ADDRESS = 200

/** Draws `/refund`: the payer names where money should return to. It works without a script, and loads none. */
export function renderRefund(view: CheckoutView & { readonly typed?: TypedClaim | undefined }): Rendered {
  const viewModel = viewModelOf({ ...view, compact: false })
  const { translator, merchant, payment, refund } = viewModel
  // The question is answered once an address was named, until another one is.
  const title = translator.text(refund?.claim ? 'refund.claimed' : 'refund.title')
  return renderDocument({
    title: `${title} · ${merchant}`,
    main: html`<main>
      <div class="card">
        <h1>${title}</h1>
        ${content(viewModel, view.typed)}
        <p><a href="${viewModel.pageUrl}">${translator.say('refund.back')}</a></p>
      </div>
    </main>`,
    translator,
    brandColor: view.project.brandColor,
    theme: viewModel.theme,
    shape: 'plain',
    header: merchantHeader(viewModel, viewModel.refundUrl ?? viewModel.pageUrl),
    footer: helpFooter(viewModel),
    isTest: payment.test,
  })
}

function content(viewModel: ViewModel, typed: TypedClaim | undefined): Html {
  const { refund, translator, merchant, error } = viewModel
  const networks = refund?.networks ?? []
  const claim = refund?.claim ?? null
  if (claim === null && networks.length === 0) return html`<p role="status">${translator.say('refund.none')}</p>`
  return html`${claim !== null && currentClaim(viewModel, claim)}${
    networks.length > 0 &&
    (claim === null
      ? html`<p class="muted">${translator.say('refund.body', { merchant })}</p>
          ${form(viewModel, networks, typed)}`
      : html`<details class="change" ${error !== undefined && html` open`}>
          <summary>${translator.say('change')}</summary>
          ${form(viewModel, networks, typed)}
        </details>`)
  }`
}

/** What was claimed, whole: only the payer can tell whether it is theirs. */
function currentClaim(
  { translator, merchant }: ViewModel,
  { address, blockchainCode, status, declinedNote }: RefundClaim,
): Html {
  return html`<div role="status" class="stack">
    <p>${translator.say(CLAIM_TEXTS[status], { merchant })}</p>
    ${declinedNote !== null && declinedNote !== '' && html`<p><bdi>${declinedNote}</bdi></p>`}
    <dl class="rows">
      <div>
        <dt>${translator.say('network')}</dt>
        <dd>${nameOf(blockchainCode)}</dd>
      </div>
      <div>
        <dt>${translator.say('promoter.address')}</dt>
        <dd><bdi dir="ltr" class="address">${spelledAddress(address)}</bdi></dd>
      </div>
    </dl>
  </div>`
}

function form(viewModel: ViewModel, networks: readonly string[], typed: TypedClaim | undefined): Html {
  const { translator, error, merchant } = viewModel
  const isWrong = error !== undefined && error.code.startsWith('ADDRESS_')
  return html`<form class="stack" method="post" action="${viewModel.refundUrl ?? ''}">
    ${networkField(viewModel, networks, typed)}
    <div class="field">
      <label for="refund-address">${translator.say('promoter.address')}</label>
      <input
        class="input mono"
        id="refund-address"
        name="address"
        value="${typed?.address}"
        required
        maxlength="${LONGEST_ADDRESS}"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        aria-describedby="refund-help${error !== undefined && ' refusal'}"
        ${isWrong && html` aria-invalid="true"`}
      />
      <p id="refund-help" class="hint">${translator.say('promoter.addressHelp')}</p>
    </div>
    ${error !== undefined && html`<p class="note alert" role="alert" id="refusal">${refusalText(translator, error)}</p>`}
    <button class="button primary" id="claim"><span>${translator.say('refund.send', { merchant })}</span></button>
  </form>`
}

/** One network needs no question, but is named: an address of another one is lost money. */
function networkField({ translator }: ViewModel, networks: readonly string[], typed: TypedClaim | undefined): Html {
  const [only, ...others] = networks
  if (others.length === 0) {
    return html`<p>${translator.say('network')}: <b>${nameOf(only ?? '')}</b></p>
      <input type="hidden" name="blockchainCode" value="${only}" />`
  }
  return html`<div class="field">
    <label for="refund-network">${translator.say('network')}</label>
    <select class="input" id="refund-network" name="blockchainCode">
      ${networks.map((code) => html`<option value="${code}" ${code === typed?.blockchainCode && html` selected`}>${nameOf(code)}</option>`)}
    </select>
  </div>`
}

function nameOf(code: string): string {
  return findBlockchain(code)?.name ?? code
}
