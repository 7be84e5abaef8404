// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { renderCheckout } from '../render/page.ts'
import { SAMPLES } from '../testing/samples.ts'
import { TOKEN_VIEW } from '../testing/tron-wallet.ts'
import { startClock } from './clock.ts'
import { answerCopies } from './copy.ts'
import { refreshView, rememberSnapshot, replaceView, runClock } from './view.ts'

/** Puts a state on screen. */
function show(state: keyof typeof SAMPLES): void {
  document.documentElement.innerHTML = fresh(state).documentElement.innerHTML
}

function fresh(state: keyof typeof SAMPLES): Document {
  return new DOMParser().parseFromString(renderCheckout(SAMPLES[state]).html, 'text/html')
}

function words(selector: string): string {
  return (document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim()
}

function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`no ${selector}`)
  return found
}

describe('view.swap', () => {
  it('shows the new state and says it in the region that was there before', () => {
    show('waiting')
    const region = element('#status')
    replaceView(fresh('confirming'))
    expect(words('h1')).toContain('3 of 12 confirmations')
    expect(element('#status')).toBe(region)
    expect(region.textContent).toBe('3 of 12 confirmations, about 1 minute left.')
    expect(region.classList.contains('progress')).toBe(true)
    expect(element('#view').dataset['state']).toBe('confirming')
  })

  it('keeps focus, what was unfolded and the chosen code', () => {
    show('waiting')
    element('#already-paid').setAttribute('open', '')
    element('#by-link').click()
    element('#copy-address').focus()
    replaceView(fresh('waiting'))
    expect(document.activeElement?.id).toBe('copy-address')
    expect(element('#already-paid').hasAttribute('open')).toBe(true)
    expect((element('#by-link') as HTMLInputElement).checked).toBe(true)
  })

  it('moves a focus that has no place any more to the page, not to nowhere', () => {
    show('waiting')
    element('#copy-address').focus()
    replaceView(fresh('paid'))
    expect(document.activeElement?.id).toBe('checkout')
  })

  it('leaves one thing to press when the rest is asked for', () => {
    const walletUrls = { ETH_Family: '/checkout/wallet.js' }
    const drawn = (state: 'waiting' | 'partly-open') =>
      new DOMParser().parseFromString(renderCheckout({ ...SAMPLES[state], walletUrls }).html, 'text/html')
    document.documentElement.innerHTML = drawn('waiting').documentElement.innerHTML
    expect(words('button.primary')).toBe('Pay with wallet')
    replaceView(drawn('partly-open'))
    expect([...document.querySelectorAll('button.primary')].map(({ id }) => id)).toEqual(['copy-rest'])
  })

  it('offers wallets of the network that another tab has chosen meanwhile', () => {
    const walletUrls = { ETH_Family: '/checkout/wallet.js', TRX_Family: '/checkout/tron-wallet.js' }
    const drawn = (view: Parameters<typeof renderCheckout>[0]) =>
      new DOMParser().parseFromString(renderCheckout({ ...view, walletUrls }).html, 'text/html')
    const offered = () => element('#pay-with-wallet').dataset['wallet']
    document.documentElement.innerHTML = drawn(SAMPLES.waiting).documentElement.innerHTML
    element('#wallet-steps').textContent = 'Open your wallet.'
    replaceView(drawn(SAMPLES.waiting))
    expect([offered(), words('#wallet-steps')]).toEqual(['/checkout/wallet.js', 'Open your wallet.'])
    replaceView(drawn(TOKEN_VIEW))
    expect([offered(), words('#wallet-steps')]).toEqual(['/checkout/tron-wallet.js', ''])
  })

  it('leaves the page alone when the answer is another page', () => {
    show('waiting')
    const other = new DOMParser().parseFromString('<h1>Bad gateway</h1>', 'text/html')
    expect(replaceView(other)).toBe(false)
    expect(words('h1')).toBe('Send exactly 49 USDC on Base')
  })
})

describe('view.refresh', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('takes the time of a page that is the same, for the clock of the device may have been set', async () => {
    vi.useFakeTimers({ now: new Date('2031-01-01T00:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    show('waiting')
    rememberSnapshot()
    runClock(() => startClock(() => undefined))
    onTestFinished(() => runClock(() => () => undefined))
    const left = words('#clock time')
    vi.stubGlobal('fetch', async () => new Response(renderCheckout(SAMPLES.waiting).html))
    vi.setSystemTime(new Date('2030-12-31T23:50:00Z'))
    vi.advanceTimersByTime(1000)
    expect(words('#clock time')).not.toBe(left)
    await refreshView(() => expect.fail('The view is the same'), true)
    expect(words('#clock time')).toBe(left)
  })

  it('fetches the page once more when something changes while it is on its way', async () => {
    show('waiting')
    const answers: ((state: keyof typeof SAMPLES) => void)[] = []
    vi.stubGlobal(
      'fetch',
      () => new Promise((done) => answers.push((state) => done(new Response(renderCheckout(SAMPLES[state]).html)))),
    )
    const first = refreshView(() => undefined)
    // The network shows more while the first answer, drawn before it, is still on its way.
    await refreshView(() => undefined)
    await refreshView(() => undefined)
    answers[0]?.('confirming')
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    answers[1]?.('paid')
    await first
    expect(element('#view').dataset['state']).toBe('paid')
    expect(answers).toHaveLength(2)
  })
})

describe('copy', () => {
  let clipboard: string[] = []
  let isRefused = false

  beforeEach(() => {
    vi.useFakeTimers()
    clipboard = []
    isRefused = false
    vi.stubGlobal('navigator', {
      clipboard: {
        writeText: async (text: string) => {
          if (isRefused) throw new Error('refused')
          clipboard.push(text)
        },
      },
    })
  })

  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  answerCopies()

  it('says so for five seconds, then the state again', async () => {
    show('waiting')
    element('#copy-amount').click()
    await vi.advanceTimersByTimeAsync(0)
    expect(clipboard).toEqual(['49'])
    expect(element('#copy-amount').dataset['done']).toBe('Amount Copied!')
    expect(words('#status')).toBe('Amount Copied!')
    element('#copy-address').click()
    await vi.advanceTimersByTimeAsync(4999)
    expect(words('#status')).toBe('Address Copied!')
    await vi.advanceTimersByTimeAsync(1)
    expect(words('#status')).toBe('Waiting for your payment')
  })

  it('shows beside the pressed button what became of it, for two seconds after the last press', async () => {
    show('waiting')
    const button = element('#copy-amount')
    button.click()
    await vi.advanceTimersByTimeAsync(1500)
    isRefused = true
    button.click()
    await vi.advanceTimersByTimeAsync(1500)
    expect([button.dataset['done'], button.dataset['undone']]).toEqual([undefined, 'Failed to copy amount'])
    await vi.advanceTimersByTimeAsync(500)
    expect(button.dataset['undone']).toBeUndefined()
    await vi.advanceTimersByTimeAsync(5000)
  })

  it('says when the browser refuses', async () => {
    isRefused = true
    show('waiting')
    element('#copy-amount').click()
    await vi.advanceTimersByTimeAsync(0)
    expect(words('#status')).toBe('Failed to copy amount')
    expect(element('#copy-amount').dataset['undone']).toBe('Failed to copy amount')
    await vi.advanceTimersByTimeAsync(5000)
    expect(words('#status')).toBe('Waiting for your payment')
  })

  it('does not bring old words back over a newer state', async () => {
    show('waiting')
    element('#copy-amount').click()
    await vi.advanceTimersByTimeAsync(0)
    replaceView(fresh('partly-open'))
    await vi.advanceTimersByTimeAsync(6000)
    expect(words('#status')).toBe('Waiting for the rest')
    element('#copy-rest').click()
    await vi.advanceTimersByTimeAsync(5001)
    expect(words('#status')).toBe('Waiting for the rest')
  })
})
