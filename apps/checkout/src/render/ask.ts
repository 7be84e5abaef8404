import { actionButtons, explorerLink } from './actions.ts'
import { APPEARANCE, GLYPHS } from './appearance.ts'
import { differences } from './differences.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { refusalText } from './refusals.ts'
import { told } from './state-texts.ts'
import { familyOf, networkName } from './subject.ts'
import type { Subject } from './subject.ts'
import { HASH_EXAMPLES, VERDICTS } from './verdicts.ts'
import type { Diagnosis } from './view.ts'
import type { Facts, Words } from './words.ts'

/** As much as Y9 reads: the address of an explorer's page fits. */
const LONGEST_HASH = 500

/** Draws "I already paid": what to expect, and the question that finds out. It stands outside the part that is redrawn. */
export function askSection(subject: Subject): Html {
  const isOffered = APPEARANCE[subject.state].actions.includes('already-paid')
  return html`<div id="ask" class="ask">${isOffered && question(subject)}</div>`
}

function question(subject: Subject): Html {
  const { words } = subject
  return html`<details id="already-paid" ${subject.asked !== undefined && html` open`}>
    <summary id="already-paid-toggle">${words.say('alreadyPaid')}</summary>
    <p class="muted">${words.say('alreadyPaidHelp')}</p>
    ${form(subject)}
    <div id="answer" role="status" data-busy="${words.text('finding')}" data-failed="${words.text('notFindable')}">
      ${answer(subject)}
    </div>
  </details>`
}

function form(subject: Subject): Html {
  const { asked, words } = subject
  const isMalformed = asked?.refusal?.code === 'VALIDATION_FAILED'
  const example = HASH_EXAMPLES[familyOf(subject)] ?? HASH_EXAMPLES['ETH_Family']
  return html`<form class="stack" method="post" action="${subject.pageUrl}#already-paid" data-ask>
    <div class="field">
      <label for="tx-hash">${words.say('txHash')}</label>
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
        ${words.say('txHashHelp', { example: html`<bdi dir="ltr" class="mono">${example}</bdi>` })}
      </p>
    </div>
    ${networks(subject)}
    <button class="button" id="find">${words.say('find')}</button>
  </form>`
}

/** One network needs no question. */
function networks({ options, asked, words }: Subject): Html | null {
  const named = new Map(options.map(({ blockchainCode, network }) => [blockchainCode, network]))
  if (named.size < 2) return null
  return html`<div class="field">
    <label for="tx-network">${words.say('network')}</label>
    <select class="input" id="tx-network" name="blockchainCode">
      <option value="">${words.say('anyNetwork')}</option>
      ${[...named].map(([code, network]) => html`<option value="${code}" ${code === asked?.blockchainCode && html` selected`}>${network}</option>`)}
    </select>
  </div>`
}

function answer(subject: Subject): Html | null {
  const { asked, words } = subject
  if (asked?.diagnosis) return verdict(subject, asked.diagnosis)
  if (asked?.refusal === undefined) return null
  return html`<p class="verdict warning" id="refusal" data-glyph="${GLYPHS.warning}">
    ${refusalText(words, asked.refusal)}
  </p>`
}

function verdict(subject: Subject, diagnosis: Diagnosis): Html {
  const { words } = subject
  const { tone, actions } = VERDICTS[diagnosis.verdict]
  const buttons = actionButtons(subject, actions, 'button')
  const link = diagnosis.explorerTransaction
  return html`<div class="verdict ${tone}" data-glyph="${GLYPHS[tone]}">
    <div>
      <h2>${words.say(`verdict.${diagnosis.verdict}.title`)}</h2>
      <p>
        ${told(words, diagnosis.text, () => words.say(`verdict.${diagnosis.verdict}.text`, foundFacts(subject, diagnosis)))}
      </p>
      ${diagnosis.verdict === 'wrong_address' && addresses(subject.words, diagnosis)}
      ${(buttons.length > 0 || link !== null) && html`<div class="actions">${buttons}${link !== null && explorerLink(words, link, words.say('explorer'), 'button')}</div>`}
    </div>
  </div>`
}

/** What was found stands in place of what the payment itself knows. */
function foundFacts(subject: Subject, found: Diagnosis): Facts {
  const network = networkName(subject, found.blockchainCode ?? '')
  const isSame = found.blockchainCode === null || found.verdict === 'wrong_network'
  return {
    ...subject.facts,
    current: found.confirmations ?? 0,
    required: found.confirmationRequired ?? 0,
    cameOn: network,
    network: isSame ? subject.network : network,
    held: { amount: found.amount ?? '0', unit: found.currencyCode ?? '' },
  }
}

/** Both addresses whole, what differs marked: look-alike addresses are a known trick. */
function addresses(words: Words, { paidTo, depositAddress }: Diagnosis): Html | null {
  if (paidTo === null || depositAddress === null) return null
  return html`<dl class="compare">
    <dt>${words.say('paidTo')}</dt>
    <dd>${marked(paidTo, depositAddress)}</dd>
    <dt>${words.say('thisRequest')}</dt>
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
