import type { Kind } from '../../render/addresses.ts'
import { closeMenus } from '../menus.ts'
import { derive } from './derivation.ts'
import type { Derived } from './derivation.ts'

document.documentElement.dataset['live'] = ''
closeMenus()

document.getElementById('derive')?.addEventListener('submit', (event) => {
  event.preventDefault()
  const field = document.getElementById('xpub')
  const kind = document.getElementById('kind')
  const region = document.getElementById('answer')
  if (!(field instanceof HTMLInputElement) || !(kind instanceof HTMLSelectElement) || region === null) return
  const derived = derive(field.value, kind.value as Kind)
  // A secret does not stay on the screen either.
  if ('problem' in derived && derived.problem === 'secret') field.value = ''
  region.replaceChildren(drawn(region.dataset, derived))
})

function drawn(said: DOMStringMap, derived: Derived): HTMLElement {
  if ('problem' in derived) {
    const text = said[derived.problem] ?? ''
    const words = document.createElement('p')
    words.className = 'note alert'
    words.textContent = 'depth' in derived ? text.replace('{depth}', String(derived.depth)) : text
    return words
  }
  const list = document.createElement('ol')
  list.className = 'addresses'
  list.start = 0
  list.setAttribute('aria-label', said['list'] ?? '')
  list.append(...derived.addresses.map(row))
  return list
}

function row(address: string): HTMLElement {
  const line = document.createElement('li')
  const text = document.createElement('bdi')
  text.dir = 'ltr'
  text.className = 'mono'
  text.textContent = address
  line.append(text)
  return line
}
