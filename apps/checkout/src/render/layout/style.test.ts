import { Window } from 'happy-dom'
import { afterEach, describe, expect, it } from 'vitest'

import { pinnedPayment, SAMPLES, sampleView } from '../../testing/samples.ts'
import { renderCheckout } from '../page.ts'
import { renderReceipt } from '../receipt.ts'
import type { Rendered } from '../view.ts'

const open: Window[] = []

/** Lays a page out in a window of some width, and reads how one element is drawn there. */
function laidOut({ html }: Rendered, width = 1440) {
  const window = new Window({ width, height: 664 })
  open.push(window)
  window.document.write(html)
  return (selector: string, property: string) => {
    const element = window.document.querySelector(selector)
    if (element === null) throw new Error(`no ${selector}`)
    return window.getComputedStyle(element).getPropertyValue(property)
  }
}

afterEach(async () => {
  for (const window of open.splice(0)) await window.happyDOM.close()
})

describe('style', () => {
  it('makes the sum the headline where the payer chooses', () => {
    const choose = laidOut(renderCheckout(SAMPLES.choose))
    expect(Number.parseInt(choose('.bill b', 'font-size'))).toBeGreaterThan(
      Number.parseInt(choose('h1', 'font-size')) * 1.5,
    )
  })

  it('leaves ribbon and shop at the top of a counter’s screen, and centres what is paid below', () => {
    const screen = laidOut(renderCheckout({ ...SAMPLES.paid, display: 'screen' }))
    expect([screen('body', 'justify-content'), screen('main', 'margin-block')]).toEqual(['', 'auto'])
  })

  it('cuts long words of the shop after two lines, until they are unfolded', () => {
    const view = sampleView(pinnedPayment({ description: 'A grinder and beans. '.repeat(10) }))
    const { html, ...hashes } = renderCheckout(view)
    const overflow = (text: string) => laidOut({ html: text, ...hashes })('.about bdi', 'overflow')
    expect(overflow(html)).toBe('hidden')
    expect(overflow(html.replace('<details class="about"', '<details open class="about"'))).toBe('')
  })

  it('lets buttons fill their row on a phone, also that of the wallet', () => {
    const view = { ...SAMPLES['partly-open'], walletUrls: { ETH_Family: '/checkout/wallet.js' } }
    const width = (pixels: number) => laidOut(renderCheckout(view), pixels)('.actions a.button', 'flex-grow')
    expect([width(390), width(1440)]).toEqual(['1', ''])
    expect(laidOut(renderCheckout(view), 390)('#pay-with-wallet', 'justify-self')).toBe('')
  })

  it('leaves no hole above a receipt, which has no line of the sum', () => {
    const receipt = laidOut(renderReceipt(SAMPLES.paid))
    expect(receipt('.outcome', 'padding-block-start')).toBe('4px')
  })
})
