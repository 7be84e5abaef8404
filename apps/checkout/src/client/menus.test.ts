// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'

import { renderCheckout } from '../render/page.ts'
import { SAMPLES } from '../testing/samples.ts'
import { closeMenus } from './menus.ts'

const menu = () => document.querySelector<HTMLElement>('#languages')

closeMenus()

beforeEach(() => {
  document.documentElement.innerHTML = new DOMParser().parseFromString(
    renderCheckout(SAMPLES.waiting).html,
    'text/html',
  ).documentElement.innerHTML
  menu()?.setAttribute('open', '')
})

describe('menus', () => {
  it('close by a press elsewhere, not by one inside', () => {
    menu()?.querySelector('nav')?.click()
    expect(menu()?.hasAttribute('open')).toBe(true)
    document.querySelector('h1')?.click()
    expect(menu()?.hasAttribute('open')).toBe(false)
  })

  it('close by Escape, and focus is where it was', () => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
    expect(menu()?.hasAttribute('open')).toBe(false)
    expect(document.activeElement).toBe(menu()?.querySelector('summary'))
  })
})
