import { paymentMachine } from '@kassa/contract/payments/machine.ts'
import { DELIVERY_TEXTS, PAYMENT_STATE_TEXTS, PAYOUT_STATE_TEXTS, type StateText } from '@kassa/contract/state-texts.ts'
import { withdrawalMachine } from '@kassa/contract/withdrawals/machine.ts'
import { type Machine, sourcesOf } from '@kassa/primitives/machine.ts'

import { escapeHtml } from '../html.ts'
import { descriptions, layout } from './layout.ts'

type Described = {
  readonly title: string
  readonly texts: Readonly<Record<string, StateText>>
  /** Where a state is reached from and leads to, where a machine says so. */
  readonly neighbours?: (state: string) => readonly (readonly [string, readonly string[]])[]
}

const NOUNS: Readonly<Record<string, Described>> = {
  payment: { title: 'Payment', texts: PAYMENT_STATE_TEXTS, neighbours: neighboursOf(paymentMachine) },
  payout: { title: 'Payout', texts: PAYOUT_STATE_TEXTS, neighbours: neighboursOf(withdrawalMachine) },
  delivery: { title: 'Webhook delivery', texts: DELIVERY_TEXTS },
}

/** Every state of a payment, a payout and a delivery. */
export function statesPage(): string {
  const lists = Object.entries(NOUNS).map(([noun, { title, texts }]) => {
    const rows = Object.entries(texts).map(([state, { means }]) => [link(noun, state), escapeHtml(means)] as const)
    return `<h2 id="${noun}">${title}</h2>${descriptions(rows)}`
  })
  return layout({ section: '/docs/states', title: 'States', body: lists.join('') })
}

/** One state: what it means, what is next to it, what to do; undefined when there is none of this name. */
export function statePage(noun: string, state: string): string | undefined {
  const described = Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined
  if (!described || !Object.hasOwn(described.texts, state)) return undefined
  const { title, texts, neighbours } = described
  const { means = '', next = '' } = texts[state] ?? {}
  const around = (neighbours?.(state) ?? []).map(
    ([heading, states]) =>
      `<h2>${heading}</h2><p>${states.length === 0 ? 'None.' : states.map((one) => link(noun, one)).join(', ')}</p>`,
  )
  return layout({
    section: '/docs/states',
    title: `${title}: ${state}`,
    body:
      `<h2>What it means</h2><p>${escapeHtml(means)}</p><h2>What to do</h2><p>${escapeHtml(next)}</p>` +
      around.join(''),
  })
}

function neighboursOf<State extends string>(machine: Machine<State, string>) {
  return (state: string): readonly (readonly [string, readonly string[]])[] => {
    const isReachedFrom = (to: State) => sourcesOf(machine, to).filter((from) => from !== to)
    const own = machine.states.find((one) => one === state)
    if (!own) return []
    const after = machine.states.filter((to) => isReachedFrom(to).includes(own))
    return [
      ['Reached from', isReachedFrom(own)],
      ['Leads to', after],
    ]
  }
}

function link(noun: string, state: string): string {
  return `<a href="/docs/states/${noun}/${state}"><code>${escapeHtml(state)}</code></a>`
}
