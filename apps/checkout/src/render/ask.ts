import { actionButtons, explorerLink } from './actions.ts'
import { APPEARANCE, GLYPHS } from './appearance.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { say, sayText, TEXTS } from './messages.ts'
import { familyOf } from './subject.ts'
import type { Subject } from './subject.ts'
import { HASH_EXAMPLES, VERDICTS } from './verdicts.ts'
import type { Diagnosis } from './view.ts'

/** As much as Y9 reads: the address of an explorer's page fits. */
const LONGEST_HASH = 500

/** Draws "I already paid": what to expect, and the question that finds out. It stands outside the part that is redrawn. */
export function askSection(subject: Subject): Html {
  const isOffered = APPEARANCE[subject.state].actions.includes('already-paid')
  return html`<div id="ask" class="ask">${isOffered && question(subject)}</div>`
}

function question(subject: Subject): Html {
  return html`<details id="already-paid" ${subject.asked !== undefined && html` open`}>
    <summary id="already-paid-toggle">${TEXTS.alreadyPaid}</summary>
    <p class="muted">${TEXTS.alreadyPaidHelp}</p>
    ${form(subject)}
    <div id="answer" role="status" data-busy="${TEXTS.finding}" data-failed="${TEXTS.notFindable}">
      ${answer(subject)}
    </div>
  </details>`
}

function form(subject: Subject): Html {
  const { asked } = subject
  const isMalformed = asked?.isMalformed === true
  const example = HASH_EXAMPLES[familyOf(subject)] ?? HASH_EXAMPLES['ETH_Family']
  return html`<form class="stack" method="post" action="${subject.pageUrl}#already-paid" data-ask>
    <div class="field">
      <label for="tx-hash">${TEXTS.txHash}</label>
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
        ${say(TEXTS.txHashHelp, { example: html`<bdi dir="ltr" class="mono">${example}</bdi>` })}
      </p>
    </div>
    ${networks(subject)}
    <button class="button" id="find">${TEXTS.find}</button>
  </form>`
}

/** One network needs no question. */
function networks({ options, asked }: Subject): Html | null {
  const named = new Map(options.map(({ blockchainCode, network }) => [blockchainCode, network]))
  if (named.size < 2) return null
  return html`<div class="field">
    <label for="tx-network">${TEXTS.txNetwork}</label>
    <select class="input" id="tx-network" name="blockchainCode">
      <option value="">${TEXTS.anyNetwork}</option>
      ${[...named].map(([code, network]) => html`<option value="${code}" ${code === asked?.blockchainCode && html` selected`}>${network}</option>`)}
    </select>
  </div>`
}

function answer(subject: Subject): Html | null {
  const { asked } = subject
  if (asked?.diagnosis) return verdict(subject, asked.diagnosis)
  if (asked?.refusal === undefined) return null
  return html`<p class="verdict warning" id="refusal" data-glyph="${GLYPHS.warning}">${asked.refusal}</p>`
}

function verdict(subject: Subject, diagnosis: Diagnosis): Html {
  const { title, tone, actions } = VERDICTS[diagnosis.verdict]
  const buttons = actionButtons(subject, actions, 'button')
  const link = diagnosis.explorerTransaction
  return html`<div class="verdict ${tone}" data-glyph="${GLYPHS[tone]}">
    <div>
      <h2>${title}</h2>
      <p>${diagnosis.text}</p>
      ${diagnosis.verdict === 'wrong_address' && addresses(diagnosis)}
      ${(buttons.length > 0 || link !== null) && html`<div class="actions">${buttons}${link !== null && explorerLink(link, TEXTS.explorer, 'button')}</div>`}
    </div>
  </div>`
}

/** Both addresses whole, what differs marked: look-alike addresses are a known trick. */
function addresses({ paidTo, depositAddress }: Diagnosis): Html | null {
  if (paidTo === null || depositAddress === null) return null
  return html`<dl class="compare">
    <dt>${TEXTS.paidTo}</dt>
    <dd>${marked(paidTo, depositAddress)}</dd>
    <dt>${TEXTS.shouldHavePaid}</dt>
    <dd>${marked(depositAddress, paidTo)}</dd>
  </dl>`
}

/** Runs of characters that the other does not have at the same place are marked. */
function marked(text: string, other: string): Html {
  const runs: { differs: boolean; text: string }[] = []
  for (const [at, character] of Array.from(text).entries()) {
    const differs = character.toLowerCase() !== other[at]?.toLowerCase()
    const last = runs.at(-1)
    if (last?.differs === differs) last.text += character
    else runs.push({ differs, text: character })
  }
  return html`<bdi dir="ltr" class="mono"
    >${runs.map((run) => (run.differs ? html`<mark>${run.text}</mark>` : run.text))}</bdi
  >`
}

/** Says why a question was refused for having come too often. */
export function askedTooOften(seconds: number): string {
  return sayText(TEXTS.askedOften, { seconds })
}
