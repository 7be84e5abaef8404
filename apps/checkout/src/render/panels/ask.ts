import { actionButtons, explorerLink } from './actions.ts'
import { APPEARANCE, GLYPHS } from './appearance.ts'
import { differences } from './differences.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { refusalText } from '../text/refusals.ts'
import { sentenceOf } from '../text/state-texts.ts'
import { familyOf, networkName } from '../view-model.ts'
import type { ViewModel } from '../view-model.ts'
import { HASH_EXAMPLES, DIAGNOSIS_LOOKS } from './diagnosis-looks.ts'
import type { Diagnosis } from '../view.ts'
import type { TextValues, Translator } from '../text/translator.ts'

/** The API reads no longer text; the address of an explorer's page fits. */
const LONGEST_HASH = 500

/** Draws "I already paid": what to expect, and the question that finds out. It stands outside the part that is redrawn. */
export function askSection(viewModel: ViewModel): Html {
  const isOffered = APPEARANCE[viewModel.state].actions.includes('already-paid')
  return html`<div id="ask" class="ask">${isOffered && question(viewModel)}</div>`
}

function question(viewModel: ViewModel): Html {
  const { translator } = viewModel
  return html`<details id="already-paid" ${viewModel.asked !== undefined && html` open`}>
    <summary id="already-paid-toggle">${translator.say('alreadyPaid')}</summary>
    <p class="muted">${translator.say('alreadyPaidHelp')}</p>
    ${form(viewModel)} ${withoutHash(viewModel)}
    <div
      id="answer"
      role="status"
      data-busy="${translator.text('finding')}"
      data-failed="${translator.text('notFindable')}"
    >
      ${answer(viewModel)}
    </div>
  </details>`
}

function form(viewModel: ViewModel): Html {
  const { asked, translator } = viewModel
  const isMalformed = asked?.withoutHash === undefined && asked?.refusal?.code === 'VALIDATION_FAILED'
  const example = HASH_EXAMPLES[familyOf(viewModel)] ?? HASH_EXAMPLES['ETH_Family']
  return html`<form class="stack" method="post" action="${viewModel.pageUrl}#already-paid" data-ask>
    <div class="field">
      <label for="tx-hash">${translator.say('txHash')}</label>
      <input
        class="input mono"
        id="tx-hash"
        name="txHash"
        value="${asked?.txHash}"
        required
        maxlength="${LONGEST_HASH}"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        aria-describedby="tx-help${isMalformed && ' refusal'}"
        ${isMalformed && html` aria-invalid="true"`}
      />
      <p id="tx-help" class="hint">
        ${translator.say('txHashHelp', { example: html`<bdi dir="ltr" class="mono">${example}</bdi>` })}
      </p>
    </div>
    ${networks(viewModel)}
    <button class="button" id="find">${translator.say('find')}</button>
  </form>`
}

/** What a payer without the hash may know: an exchange does not always show it. */
function withoutHash(viewModel: ViewModel): Html {
  const { asked, translator, pageUrl } = viewModel
  const typed = asked?.withoutHash
  const isMalformed = typed !== undefined && asked?.refusal?.code === 'VALIDATION_FAILED'
  const input = html`class="input"
  autocomplete="off"${isMalformed && html` aria-invalid="true" aria-describedby="refusal"`}`
  return html`<details id="no-hash" ${typed !== undefined && html` open`}>
    <summary>${translator.say('noHash')}</summary>
    <p class="muted">${translator.say('noHashHelp')}</p>
    <form class="stack" method="post" action="${pageUrl}#already-paid" data-ask>
      <div class="field">
        <label for="sent-amount">${translator.say('sentAmount')}</label>
        <input ${input} id="sent-amount" name="amount" value="${typed?.amount}" inputmode="decimal" maxlength="50" />
      </div>
      <div class="field">
        <label for="paid-address">${translator.say('paidAddress')}</label>
        <input
          ${input}
          id="paid-address"
          name="address"
          value="${typed?.address}"
          maxlength="${LONGEST_HASH}"
          autocapitalize="none"
          spellcheck="false"
        />
      </div>
      <div class="field">
        <label for="paid-on">${translator.say('paidOn')}</label>
        <input class="input" id="paid-on" name="paidOn" type="date" value="${typed?.paidOn}" />
      </div>
      <button class="button">${translator.say('find')}</button>
    </form>
  </details>`
}

/** One network needs no question. */
function networks({ options, asked, translator }: ViewModel): Html | null {
  const named = new Map(options.map(({ blockchainCode, network }) => [blockchainCode, network]))
  if (named.size < 2) return null
  return html`<div class="field">
    <label for="tx-network">${translator.say('network')}</label>
    <select class="input" id="tx-network" name="blockchainCode">
      <option value="">${translator.say('anyNetwork')}</option>
      ${[...named].map(([code, network]) => html`<option value="${code}" ${code === asked?.blockchainCode && html` selected`}>${network}</option>`)}
    </select>
  </div>`
}

function answer(viewModel: ViewModel): Html | null {
  const { asked, translator } = viewModel
  if (asked?.diagnosis) return verdict(viewModel, asked.diagnosis)
  if (asked?.refusal === undefined) return null
  const isWithoutHash = asked.withoutHash !== undefined
  return html`<p class="verdict warning" id="refusal" data-glyph="${GLYPHS.warning}">
    ${isWithoutHash && asked.refusal.code === 'VALIDATION_FAILED' ? translator.say('noHashInvalid') : refusalText(translator, asked.refusal)}
  </p>`
}

function verdict(viewModel: ViewModel, diagnosis: Diagnosis): Html {
  const { translator, asked } = viewModel
  const { tone, actions } = DIAGNOSIS_LOOKS[diagnosis.verdict]
  const isUnrecorded = asked?.withoutHash !== undefined && diagnosis.verdict === 'not_found'
  const text = isUnrecorded ? 'verdict.not_found.unrecorded' : (`verdict.${diagnosis.verdict}.text` as const)
  const buttons = actionButtons(viewModel, actions, 'button')
  const link = diagnosis.explorerTransaction
  return html`<div class="verdict ${tone}" data-glyph="${GLYPHS[tone]}">
    <div>
      <h2>${translator.say(`verdict.${diagnosis.verdict}.title`)}</h2>
      <p>${sentenceOf(translator, diagnosis.text, () => translator.say(text, foundFacts(viewModel, diagnosis)))}</p>
      ${diagnosis.verdict === 'wrong_address' && addresses(viewModel.translator, diagnosis)}
      ${(buttons.length > 0 || link !== null) && html`<div class="actions">${buttons}${link !== null && explorerLink(translator, link, translator.say('explorer'), 'button')}</div>`}
    </div>
  </div>`
}

/** What was found stands in place of what the payment itself knows. */
function foundFacts(viewModel: ViewModel, found: Diagnosis): TextValues {
  const network = networkName(viewModel, found.blockchainCode ?? '')
  const isSame = found.blockchainCode === null || found.verdict === 'wrong_network'
  return {
    ...viewModel.facts,
    current: found.confirmations ?? 0,
    required: found.confirmationRequired ?? 0,
    cameOn: network,
    network: isSame ? viewModel.network : network,
    held: { amount: found.amount ?? '0', unit: found.currencyCode ?? '' },
  }
}

/** Both addresses whole, what differs marked: look-alike addresses are a known trick. */
function addresses(translator: Translator, { paidTo, depositAddress }: Diagnosis): Html | null {
  if (paidTo === null || depositAddress === null) return null
  return html`<dl class="compare">
    <dt>${translator.say('paidTo')}</dt>
    <dd>${marked(paidTo, depositAddress)}</dd>
    <dt>${translator.say('thisRequest')}</dt>
    <dd>${marked(depositAddress, paidTo)}</dd>
  </dl>`
}

/** What the other does not have at the same place is marked. */
function marked(text: string, other: string): Html {
  const runs = differences(text, other)
  return html`<bdi dir="ltr" class="mono"
    >${runs.map((run) => (run.differs ? html`<mark>${run.text}</mark>` : run.text))}</bdi
  >`
}
