// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'

import { renderAddresses } from '../../render/addresses.ts'
import { ADDRESS } from '../../testing/samples.ts'

vi.mock('./proof.ts', () => ({ isProven: () => true }))

afterEach(() => void vi.unstubAllGlobals())

describe('the answer to "Is this address real?"', () => {
  it('names the shop as it is called, dollar signs and braces too, and is about what was asked last', async () => {
    const name = "Mad $& {network} $' Co"
    vi.stubGlobal('fetch', async (url: string) =>
      Response.json(
        url.includes('external-platform') ? { name } : [{ Address: ADDRESS, blockchainCode: 'BASE', proof: '' }],
      ),
    )
    const page = renderAddresses({
      tab: 'real',
      link: '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d',
      address: ADDRESS,
      publicKey: 'a2V5',
      scriptUrl: '',
      deriveScript: '',
    })
    document.body.innerHTML = new DOMParser().parseFromString(page.html, 'text/html').body.innerHTML
    await import('./check.ts')
    await vi.waitFor(() =>
      expect(document.querySelector('#answer')?.textContent?.trim()).toBe(
        `This address belongs to ${name} for this payment on Base`,
      ),
    )

    const answers: ((answer: Response) => void)[] = []
    vi.stubGlobal('fetch', () => new Promise((done) => answers.push(done)))
    const request = (address: string) => {
      document.querySelector<HTMLInputElement>('#address')?.setAttribute('value', address)
      document.querySelector('#check-address')?.dispatchEvent(new Event('submit', { cancelable: true }))
    }
    request(ADDRESS)
    request('0x0000000000000000000000000000000000000bad')
    answers[1]?.(Response.json([]))
    const none = 'No address was given for this payment yet.'
    await vi.waitFor(() => expect(document.querySelector('#answer')?.textContent?.trim()).toBe(none))
    answers[0]?.(Response.json([], { status: 500 }))
    await new Promise((done) => setTimeout(done, 50))
    expect(document.querySelector('#answer')?.textContent?.trim()).toBe(none)
  })
})
