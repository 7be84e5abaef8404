import { hexToBytes, bytesToHex } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accountOf,
  base58Text,
  checksumAddress,
  keyHashOf,
  readBase58,
  readSegwit,
  segwitText,
} from './address-text.ts'

/** The generator of secp256k1: the public key of the private key 1. */
const POINT = hexToBytes('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')

describe('keys.checksumAddress', () => {
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('writes %s (EIP-55)', (text) => {
    expect(checksumAddress(hexToBytes(text.slice(2).toLowerCase()))).toBe(text)
  })

  it('refuses what has not 20 bytes', () => {
    expect(() => checksumAddress(new Uint8Array(21))).toThrow(RangeError)
  })
})

describe('keys.accountOf', () => {
  it('gives the account of the private key 1, compressed or not', () => {
    const account = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
    const whole = hexToBytes(
      '0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
    )
    expect([POINT, whole].map((key) => checksumAddress(accountOf(key)))).toEqual([account, account])
  })
})

describe('keys.base58Text', () => {
  it('writes TRON’s USDT contract as TRON prints it', () => {
    const bytes = hexToBytes('41a614f803b6fd780986a42c78ec9c7f77e6ded13c')
    expect(base58Text(bytes)).toBe('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    expect(readBase58('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toEqual(bytes)
  })

  it('reads back any bytes, and nothing with one character changed', () => {
    const character = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.split(''))
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 21, maxLength: 21 }), fc.nat(20), character, (bytes, at, other) => {
        const text = base58Text(bytes)
        expect(readBase58(text)).toEqual(bytes)
        const changed = text.slice(0, at) + other + text.slice(at + 1)
        if (changed !== text) expect(readBase58(changed)).toBeNull()
      }),
    )
  })
})

describe('keys.readSegwit', () => {
  it.each([
    ['bc', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 0, '751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'tb',
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      0,
      '1863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
    [
      'bc',
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
      1,
      '751e76e8199196d454941c45d1b3a323f1433bd6751e76e8199196d454941c45d1b3a323f1433bd6',
    ],
    ['bc', 'BC1SW50QGDZ25J', 16, '751e'],
    [
      'bc',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      1,
      '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
  ])('reads and writes the vectors of BIP-173 and BIP-350: %s %s', (prefix, text, version, program) => {
    const read = readSegwit(prefix, text)
    expect(read && { ...read, program: bytesToHex(read.program) }).toEqual({ version, program })
    expect(segwitText(prefix, { version, program: hexToBytes(program) })).toBe(text.toLowerCase())
  })

  it.each([
    ['of another network', 'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut'],
    ['with the checksum of the other form', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
    ['of version 0 with bech32m', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KEMEAWH'],
    ['with a character outside the alphabet', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
    ['of version 17', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R'],
    ['with a program of one byte', 'bc1pw5dgrnzv'],
    ['with a program of 41 bytes', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav'],
    ['of version 0 with 16 bytes', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
    ['in mixed case', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jJ0'],
    ['with nothing in it', 'bc1gmk9yu'],
    ['that is none', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ])('refuses an address %s', (_, text) => {
    expect(readSegwit('bc', text)).toBeNull()
  })

  it('writes the address of a key (BIP-173)', () => {
    expect(segwitText('bc', { version: 0, program: keyHashOf(POINT) })).toBe(
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    )
    expect(() => segwitText('bc', { version: 0, program: new Uint8Array(16) })).toThrow(RangeError)
  })
})
