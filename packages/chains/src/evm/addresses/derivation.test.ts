import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import fc from 'fast-check'
import { publicKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { chainOf } from '../../testing/anvil-chain.ts'
import { evmDeposits } from './derivation.ts'
import { toHex } from '../encoding/hex.ts'

const chain = chainOf('ETH', 'mainnet')
const words = `${'abandon '.repeat(11)}about`
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(words))
const account = root.derive("m/44'/60'/0'")
const xpub = account.publicExtendedKey

const refusal = (source: unknown) => {
  try {
    evmDeposits.check(source)
  } catch (error) {
    return error as { code: string; message: string }
  }
  return undefined
}

describe('evm.deposits.derive', () => {
  it.each([
    [0, '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    [1, '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0'],
  ])('gives the wallet’s own address for index %i (BIP-44)', (index, address) => {
    expect(evmDeposits.derive(chain, evmDeposits.check(xpub), index)).toBe(address)
  })

  it('agrees with full BIP-32 derivation for any index', () => {
    const source = evmDeposits.check(xpub)
    const last = 2 ** 31 - 1
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: 0, max: last }), fc.constant(last)), (index) => {
        const child = account.deriveChild(0).deriveChild(index).publicKey ?? new Uint8Array()
        const full = toHex(secp256k1.Point.fromBytes(child).toBytes(false)) as `0x${string}`
        expect(evmDeposits.derive(chain, source, index)).toBe(publicKeyToAddress(full))
      }),
      { numRuns: 100 },
    )
  })

  it.each([-1, 0.5, 2 ** 31, Number.NaN])('refuses the index %d', (index) => {
    expect(() => evmDeposits.derive(chain, evmDeposits.check(xpub), index)).toThrow(RangeError)
  })
})

describe('evm.deposits.check', () => {
  it('returns the key with its usual path and fingerprint, spaces trimmed', () => {
    const fingerprint = account.fingerprint.toString(16).padStart(8, '0')
    expect(evmDeposits.check(` ${xpub}\n`)).toEqual({ kind: 'xpub', xpub, path: "m/44'/60'/0'", fingerprint })
  })

  it('accepts a key of another depth when its path is stated', () => {
    const deeper = root.derive("m/44'/60'/0'/7")
    const source = { xpub: deeper.publicExtendedKey, path: "m/44'/60'/0'/7" }
    expect(evmDeposits.check(source).path).toBe("m/44'/60'/0'/7")
    expect(refusal(deeper.publicExtendedKey)?.message).toContain('depth 4')
  })

  it.each([
    ["m/44'/60'/0'/8", 'not at'],
    ["m/44'/60'/0'/7'", 'not at'],
    ["m/60'/0'/7", 'not at'],
    ['account 7', 'looks like'],
  ])('refuses a stated path that is not the key’s: %s', (path, reason) => {
    const deeper = root.derive("m/44'/60'/0'/7")
    expect(refusal({ xpub: deeper.publicExtendedKey, path })).toMatchObject({ code: 'XPUB_INVALID' })
    expect(refusal({ xpub: deeper.publicExtendedKey, path })?.message).toContain(reason)
  })

  it.each([
    ['an extended private key', account.privateExtendedKey],
    ['a private key of another coin', `zprv${'1'.repeat(107)}`],
    ['a raw private key', `0x${'ab'.repeat(32)}`],
    ['secret words', words],
  ])('names %s as private and does not repeat it', (_, secret) => {
    expect(refusal(secret)).toMatchObject({ code: 'XPUB_IS_PRIVATE' })
    expect(refusal(secret)?.message).not.toContain(secret.slice(0, 8))
  })

  it.each([
    ['a changed character', xpub.slice(0, -1) + (xpub.endsWith('a') ? 'b' : 'a')],
    ['a missing end', xpub.slice(0, -4)],
    ['another coin’s prefix', `zpub${xpub.slice(4)}`],
    ['an address', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    ['nothing', ''],
    ['no text at all', undefined],
    ['a number', 7],
    ['very long text', `xpub${'6'.repeat(10_000)}`],
    ['the master key', root.publicExtendedKey],
  ])('refuses %s', (_, source) => {
    expect(refusal(source)).toMatchObject({ code: 'XPUB_INVALID' })
  })
})
