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

/** Asks for a code, which the server refuses; returns what the page says. */
async function refusedWith(code: string, headers: Record<string, string> = {}): Promise<string> {
  document.documentElement.innerHTML = new DOMParser().parseFromString(
    renderPromoter(PROMOTER).html,
    'text/html',
  ).documentElement.innerHTML
  document.documentElement.lang = 'en'
  const body = JSON.stringify({ error: { code, message: 'an English sentence' } })
  vi.stubGlobal('fetch', async () => new Response(body, { status: 429, headers }))
  document.querySelector('#withdrawal')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
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

  it('says other refusals as they are', async () => {
    expect(await refusedWith('OTP_INVALID')).toBe('This code is not valid.')
  })
})
