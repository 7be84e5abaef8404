// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'

import { renderPromoter } from '../../render/promoter/page.ts'
import { PROMOTER } from '../../testing/promoter.ts'
import { answerWithdrawal } from './withdrawal.ts'

answerWithdrawal('kref_test')
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function drawPage(): void {
  document.documentElement.innerHTML = new DOMParser().parseFromString(
    renderPromoter(PROMOTER).html,
    'text/html',
  ).documentElement.innerHTML
  document.documentElement.lang = 'en'
}

const submit = (form: string) =>
  document.querySelector(form)?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))

/** Asks for a code, which the server refuses; returns what the page says. */
async function refusedWith(code: string, headers: Record<string, string> = {}): Promise<string> {
  drawPage()
  const body = JSON.stringify({ error: { code, message: 'an English sentence' } })
  vi.stubGlobal('fetch', async () => new Response(body, { status: 429, headers }))
  submit('#withdrawal')
  await vi.waitFor(() => expect(document.querySelector<HTMLElement>('#refusal')?.hidden).toBe(false))
  return document.querySelector('#refusal')?.textContent ?? ''
}

describe('promoter.withdrawal', () => {
  it('says from when on a code may be asked for again', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-28T20:00:10Z'), toFake: ['Date'] })
    expect(await refusedWith('RATE_LIMITED', { 'retry-after': '61200' })).toBe(
      'Too many attempts. Try again after Sunday 13:01.',
    )
  })

  it('repeats a withdrawal whose answer was lost under its key, so that it is asked for once; a decided one has ended', async () => {
    drawPage()
    const keys: (string | null)[] = []
    const refused = JSON.stringify({ error: { code: 'OTP_INVALID', message: '' } })
    const answers = [
      () => Promise.reject(new TypeError('lost')),
      () => new Response('', { status: 502 }),
      () => new Response(refused, { status: 400 }),
      () => new Response(refused, { status: 400 }),
    ]
    vi.stubGlobal('fetch', async (path: string, { headers }: RequestInit) => {
      if (path.endsWith('/otp')) return new Response('{}')
      keys.push(new Headers(headers).get('idempotency-key'))
      return answers[keys.length - 1]?.()
    })
    submit('#withdrawal')
    await vi.waitFor(() => expect(document.querySelector<HTMLElement>('#confirmation')?.hidden).toBe(false))
    for (let sent = 1; sent <= answers.length; sent += 1) {
      submit('#confirmation')
      await vi.waitFor(() => expect(keys).toHaveLength(sent))
      await vi.waitFor(() => expect(document.querySelector('#confirmation [aria-busy]')).toBeNull())
    }
    const [first, , , last] = keys
    expect(first).toMatch(/^[\da-f-]{20,}$/)
    expect(keys).toEqual([first, first, first, last])
    expect(last).not.toBe(first)
  })

  it('says other refusals as they are', async () => {
    expect(await refusedWith('OTP_INVALID')).toBe('This code is not valid.')
  })
})
