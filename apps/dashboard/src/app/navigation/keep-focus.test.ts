import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { keepFocus } from './keep-focus.ts'

const later = () => new Promise((resolve) => setTimeout(resolve, 20))
const find = (selector: string) => document.querySelector<HTMLElement>(selector)

let end: () => void

beforeEach(() => {
  document.body.innerHTML = '<main><h1 tabindex="-1">Dashboard</h1><section><button>Hide</button></section></main>'
  end = keepFocus()
})
afterEach(() => {
  end()
  document.body.innerHTML = ''
})

describe('keepFocus', () => {
  it('gives the focus to the heading when what had it is taken away', async () => {
    find('button')?.focus()
    find('section')?.remove()
    await later()
    expect(document.activeElement).toBe(find('h1'))
  })

  it('waits for a page that is on its way', async () => {
    find('button')?.focus()
    find('main')?.remove()
    await later()
    expect(document.activeElement).toBe(document.body)
    document.body.insertAdjacentHTML('beforeend', '<h1 tabindex="-1">Payments</h1>')
    await later()
    expect(document.activeElement).toBe(find('h1'))
  })

  it('keeps a focus that was moved on purpose, and sets none where none is wanted', async () => {
    find('button')?.focus()
    find('section')?.remove()
    find('main')?.insertAdjacentHTML('beforeend', '<input />')
    find('input')?.focus()
    await later()
    expect(document.activeElement).toBe(find('input'))
    find('input')?.blur()
    await later()
    find('input')?.remove()
    await later()
    expect(document.activeElement).toBe(document.body)
  })
})
