import { generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { ADDRESS } from '../../testing/samples.ts'
import { checkAddress, referenceIn } from './check-address.ts'

const REFERENCE = '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d'
const LINK = `https://pay.example/payments?reference_id=${REFERENCE}&host=https://pay.example`
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')

const proofOf = (reference: string, address = ADDRESS) =>
  sign(null, Buffer.from(`kassa address proof 1\n${reference}\nBASE\n${address}`), privateKey).toString('base64')
const given = (proof: string, Address = ADDRESS) => [{ Address, blockchainCode: 'BASE', proof }]

/** A server that knows one payment. */
function serve(addresses: unknown, status = 200, shop: unknown = { name: 'Acme' }, shopStatus = status): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    const isShop = url.includes('external-platform')
    return new Response(JSON.stringify(isShop ? shop : addresses), { status: isShop ? shopStatus : status })
  })
  return asked
}

afterEach(() => void vi.unstubAllGlobals())

describe('addresses.check', () => {
  it('says whose the address is when the key signed exactly that', async () => {
    const asked = serve(given(proofOf(REFERENCE)))
    expect(await checkAddress(LINK, ADDRESS.toLowerCase(), KEY)).toEqual({
      kind: 'yes',
      merchant: 'Acme',
      blockchainCode: 'BASE',
    })
    expect(asked).toEqual([
      `/api/v1/deposit-address/reference/${REFERENCE}`,
      `/api/v1/external-platform/reference/${REFERENCE}`,
    ])
  })

  it('says no to another address, and which was given', async () => {
    serve(given(proofOf(REFERENCE)))
    expect(await checkAddress(LINK, '0x5aAe000000000000000000000000000000BeAed', KEY)).toEqual({
      kind: 'no',
      given: ADDRESS,
    })
  })

  it('believes no proof of another payment, of another key, or none', async () => {
    for (const proof of [proofOf('0199f0b2-0000-7c3a-9b1e-3f6f5b1a2c4d'), proofOf(REFERENCE, '0x00'), '', '%%%']) {
      serve(given(proof))
      expect([proof, await checkAddress(LINK, ADDRESS, KEY)]).toEqual([proof, { kind: 'no', given: '' }])
    }
    serve(given(proofOf(REFERENCE)))
    expect(await checkAddress(LINK, ADDRESS, Buffer.alloc(32, 1).toString('base64'))).toEqual({ kind: 'no', given: '' })
  })

  it('says what it cannot say', async () => {
    serve([])
    expect(await checkAddress(LINK, ADDRESS, KEY)).toEqual({ kind: 'none' })
    expect(await checkAddress('hello', ADDRESS, KEY)).toEqual({ kind: 'badLink' })
    serve({ error: {} }, 401)
    expect(await checkAddress(LINK, ADDRESS, KEY)).toEqual({ kind: 'unknown' })
    serve({ error: {} }, 500)
    expect(await checkAddress(LINK, ADDRESS, KEY)).toEqual({ kind: 'failed' })
  })

  it.each([
    [{ error: {} }, 500],
    [{ error: {} }, 401],
    [{}, 200],
    [{ name: '' }, 200],
  ])('names no shop that the server does not name: %j with %i', async (shop, status) => {
    serve(given(proofOf(REFERENCE)), 200, shop, status)
    expect(await checkAddress(LINK, ADDRESS, KEY)).toEqual({ kind: 'failed' })
  })

  it('finds the reference in a link, in its text, and in nothing else', () => {
    expect([referenceIn(LINK), referenceIn(REFERENCE.toUpperCase()), referenceIn('https://a.example/?x=1')]).toEqual([
      REFERENCE,
      REFERENCE,
      null,
    ])
  })
})
