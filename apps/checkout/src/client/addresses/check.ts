import { differences } from '../../render/panels/differences.ts'
import { fill } from '../fill.ts'
import { closeMenus } from '../menus.ts'
import { checkAddress } from './check-address.ts'
import type { AddressCheckResult } from './check-address.ts'

/** How often was asked: an answer that comes after the next question is about another address. */
let questions = 0

document.documentElement.dataset['live'] = ''
closeMenus()
answerChecks()

/** Answers the form, and at once when the payment's page filled it in. */
function answerChecks(): void {
  const form = document.querySelector<HTMLFormElement>('#check-address')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    void check()
  })
  if (textOf('link') !== '' && textOf('address') !== '') void check()
}

async function check(): Promise<void> {
  const region = document.getElementById('answer')
  if (region === null) return
  questions += 1
  const question = questions
  region.textContent = region.dataset['busy'] ?? ''
  const pasted = textOf('address')
  const result = await checkAddress(textOf('link'), pasted, region.dataset['key'] ?? '')
  if (question === questions) region.replaceChildren(...drawn(region.dataset, result, pasted))
}

function textOf(id: string): string {
  const field = document.getElementById(id)
  return field instanceof HTMLInputElement ? field.value.trim() : ''
}

function drawn(said: DOMStringMap, result: AddressCheckResult, pasted: string): HTMLElement[] {
  const { kind } = result
  if (kind === 'yes') {
    const { merchant, blockchainCode } = result
    const networks = JSON.parse(said['networks'] ?? '{}') as Record<string, string>
    const network = networks[blockchainCode] ?? blockchainCode
    return [box('success', '✓', fill(said['yes'] ?? '', { merchant, network }))]
  }
  if (kind !== 'no') return [box('warning', '!', said[kind] ?? '')]
  const words = box('danger', '✕', said['no'] ?? '')
  if (result.given !== '') words.lastElementChild?.append(compared(said, result.given, pasted))
  return [words]
}

function box(tone: string, glyph: string, text: string): HTMLElement {
  const outer = element('div', '')
  outer.className = `verdict ${tone}`
  outer.dataset['glyph'] = glyph
  const content = element('div', '')
  content.append(element('p', text))
  outer.append(content)
  return outer
}

/** Both addresses whole, what differs marked: look-alike addresses are a known trick. */
function compared(said: DOMStringMap, given: string, pasted: string): HTMLElement {
  const list = element('dl', '')
  list.className = 'compare'
  for (const [name, text, other] of [
    [said['given'] ?? '', given, pasted],
    [said['pasted'] ?? '', pasted, given],
  ] as const) {
    const value = element('bdi', '')
    value.dir = 'ltr'
    value.className = 'mono'
    value.append(...differences(text, other).map((run) => (run.differs ? element('mark', run.text) : run.text)))
    const row = element('dd', '')
    row.append(value)
    list.append(element('dt', name), row)
  }
  return list
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
