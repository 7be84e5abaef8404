import fc from 'fast-check'
import { getAddress, isAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { InvalidInput } from '../../errors.ts'
import { chainOf } from '../../testing/anvil-chain.ts'
import { evmAddresses } from './addresses.ts'
import { toHex } from '../encoding/hex.ts'

const chain = chainOf('ETH', 'mainnet')
const parse = (text: string) => evmAddresses.parse(chain, text)

/** The test cases printed in EIP-55. */
const VALID = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

const key = fc.uint8Array({ minLength: 20, maxLength: 20 })

describe('evm.addresses', () => {
  it.each(VALID)('accepts %s (EIP-55)', (text) => {
    expect(parse(text)).toBe(text)
  })

  it.each([
    ['one capital is wrong', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'checksum'],
    ['all is lower case without being the checksum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'checksum'],
    ['all is upper case without being the checksum', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', 'checksum'],
    ['it is too short', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', '42 characters'],
    ['it is too long', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0', '42 characters'],
    ['0x is missing', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'starts with 0x'],
    ['0X is a capital', '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'starts with 0x'],
    ['a letter is not hex', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg', 'digits'],
    ['a space follows', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe ', 'digits'],
    ['it is an address of another family', 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'starts with 0x'],
    ['it is empty', '', 'starts with 0x'],
  ])('refuses text when %s', (_, text, reason) => {
    expect(() => parse(text)).toThrow(InvalidInput)
    expect(() => parse(text)).toThrow(reason)
  })

  it('formats, parses and keys any 20 bytes back to themselves, as viem spells them', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const text = evmAddresses.format(chain, bytes)
        expect(text).toBe(getAddress(toHex(bytes) as `0x${string}`))
        expect(evmAddresses.key(chain, parse(text))).toEqual(bytes)
      }),
      { numRuns: 2_000 },
    )
  })

  it('agrees with viem about texts with one character changed', () => {
    const character = fc.constantFrom(...'0123456789abcdefABCDEFgGxO'.split(''))
    fc.assert(
      fc.property(key, fc.nat(41), character, (bytes, at, letter) => {
        const text = evmAddresses.format(chain, bytes)
        const changed = text.slice(0, at) + letter + text.slice(at + 1)
        // viem also takes lower case without a checksum, which is no check at all.
        const isGood = isAddress(changed) && getAddress(changed) === changed
        if (isGood) expect(parse(changed)).toBe(changed)
        else expect(() => parse(changed)).toThrow(InvalidInput)
      }),
      { numRuns: 1_000 },
    )
  })
})
