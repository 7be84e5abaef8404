import { hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checksumAddress } from '../address-text.ts'
import { authorityOf, signAuthorization } from './authorization.ts'
import { wordOf } from './create2.ts'
import { type FeeTransaction, readFeeTransaction, signFeeTransaction } from './fee-transaction.ts'
import {
  approveCall,
  delegateOf,
  type Destination,
  EVERYTHING,
  faultOf,
  faultOfSignature,
  type Permission,
  type PermissionSignature,
} from './permission.ts'
import { PermissionRefused, signPermission } from './permission-signing.ts'
import { decodeRlp, encodeRlp, type Rlp } from './rlp.ts'

const place = (byte: string) => checksumAddress(hexToBytes(byte.repeat(20)))
const TOKEN = place('aa')
const VAULT = place('bb')
const COLLECTOR = place('cc')
const THIEF = place('dd')

// The account of private key 1 (EIP-155 and most libraries use it in examples).
const KEY = wordOf(1n)
const FROM = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'

const ofToken: Destination = {
  chainId: 31_337n,
  token: TOKEN,
  vault: VAULT,
  collector: COLLECTOR,
  mostFee: 40n * 60_000n,
}
const ofCoin: Destination = { ...ofToken, token: null }

const APPROVAL: FeeTransaction = {
  ...{ chainId: 31_337n, nonce: 3n, tip: 1n, feeCap: 40n, gas: 60_000n },
  ...{ to: TOKEN, value: 0n, data: approveCall(VAULT) },
}
const TRANSFER: FeeTransaction = { ...APPROVAL, to: COLLECTOR, value: 5n, data: '0x', gas: 21_000n }
const DOMAIN = { name: 'USD Coin', version: '2', chainId: 31_337n, verifyingContract: TOKEN }
const MESSAGE = { owner: FROM, spender: VAULT, value: EVERYTHING, nonce: 0n, deadline: EVERYTHING }
const AUTHORIZATION = { chainId: 31_337n, address: delegateOf(VAULT), nonce: 0n }

const approve = (change: Partial<FeeTransaction> = {}): Permission => ({
  ...{ kind: 'approve_tx', from: FROM },
  tx: { ...APPROVAL, ...change },
})
const transfer = (change: Partial<FeeTransaction> = {}): Permission => ({
  ...{ kind: 'transfer_tx', from: FROM },
  tx: { ...TRANSFER, ...change },
})
const permit = (domain: Partial<typeof DOMAIN> = {}, message: Partial<typeof MESSAGE> = {}): Permission => ({
  ...{ kind: 'permit', from: FROM },
  domain: { ...DOMAIN, ...domain },
  message: { ...MESSAGE, ...message },
})
const authorization = (change: Partial<typeof AUTHORIZATION> = {}): Permission => ({
  ...{ kind: 'authorization', from: FROM },
  authorization: { ...AUTHORIZATION, ...change },
})

describe('permissions of deposit addresses', () => {
  it.each<[string, Permission, Destination]>([
    ['an approval', approve(), ofToken],
    ['a permit', permit(), ofToken],
    ['an authorization (S-1)', authorization(), ofCoin],
    ['a transfer to the collector', transfer(), ofCoin],
  ])('signs %s, and knows its own signature', (_, permission, destination) => {
    expect(faultOf(permission, destination)).toBeNull()
    expect(faultOfSignature(permission, signPermission(permission, destination, KEY))).toBeNull()
  })

  it.each<[string, string, Permission, Destination]>([
    ['approval on another chain', 'chain', approve({ chainId: 1n }), ofToken],
    ['approval of another token', 'token', approve({ to: THIEF }), ofToken],
    ['approval where the coin is moved', 'token', approve(), ofCoin],
    ['approval that makes a contract', 'token', approve({ to: null }), ofToken],
    ['approval of a thief', 'spender', approve({ data: approveCall(THIEF) }), ofToken],
    ['approval of the collector', 'spender', approve({ data: approveCall(COLLECTOR) }), ofToken],
    ['approval of less', 'amount', approve({ data: `${approveCall(VAULT).slice(0, -1)}0` }), ofToken],
    ['approval with coins', 'value', approve({ value: 1n }), ofToken],
    ['transfer of the token', 'call', approve({ data: `0xa9059cbb${approveCall(THIEF).slice(10)}` }), ofToken],
    ['approval with bytes to spare', 'call', approve({ data: `${approveCall(VAULT)}00` }), ofToken],
    ['approval with code for the account', 'call', approve({ authorizations: [] }), ofToken],
    ['permit on another chain', 'chain', permit({ chainId: 1n }), ofToken],
    ['permit of another token', 'token', permit({ verifyingContract: THIEF }), ofToken],
    ['permit of another owner', 'signer', permit({}, { owner: THIEF }), ofToken],
    ['permit for a thief', 'spender', permit({}, { spender: THIEF }), ofToken],
    ['permit of less', 'amount', permit({}, { value: 1n }), ofToken],
    ['authorization of every chain (S-1)', 'chain', authorization({ chainId: 0n }), ofToken],
    ['authorization of another chain', 'chain', authorization({ chainId: 1n }), ofToken],
    ['authorization of other code (S-1)', 'delegate', authorization({ address: THIEF }), ofToken],
    ['authorization of the vault itself', 'delegate', authorization({ address: VAULT }), ofToken],
    ['authorization of a later nonce (S-1)', 'nonce', authorization({ nonce: 1n }), ofToken],
    ['transfer to a thief', 'receiver', transfer({ to: THIEF }), ofCoin],
    ['transfer to the vault', 'receiver', transfer({ to: VAULT }), ofCoin],
    ['transfer with a call', 'call', transfer({ data: approveCall(VAULT) }), ofCoin],
    ['transfer of nothing', 'value', transfer({ value: 0n }), ofCoin],
    ['transfer that cannot be mined', 'fee', transfer({ gas: 20_999n }), ofCoin],
    ['approval that burns coins', 'fee', approve({ feeCap: 41n }), ofToken],
    ['transfer that burns coins', 'fee', transfer({ feeCap: 120n }), ofCoin],
    ['transfer where a token is moved', 'token', transfer(), ofToken],
    ['transfer on another chain', 'chain', transfer({ chainId: 1n }), ofCoin],
  ])('refuses %s', (_, fault, permission, destination) => {
    expect(faultOf(permission, destination)).toBe(fault)
    expect(() => signPermission(permission, destination, KEY)).toThrow(PermissionRefused)
  })

  it('signs with the key of the address only', () => {
    expect(() => signPermission(permit(), ofToken, wordOf(2n))).toThrow('signer')
  })

  const raw = (change: Partial<FeeTransaction>, key = KEY): PermissionSignature => ({
    kind: 'approve_tx',
    raw: signFeeTransaction({ ...APPROVAL, ...change }, key).raw,
  })
  const signedAs = (change: Partial<typeof AUTHORIZATION>, key = KEY): PermissionSignature => ({
    kind: 'authorization',
    authorization: signAuthorization({ ...AUTHORIZATION, ...change }, key),
  })
  const otherPermit = signPermission({ ...permit({}, { nonce: 1n }) }, ofToken, KEY)
  it.each<[string, string, Permission, PermissionSignature]>([
    ['another chain', 'chain', approve(), raw({ chainId: 1n })],
    ['another nonce', 'nonce', approve(), raw({ nonce: 4n })],
    ['another call', 'call', approve(), raw({ data: approveCall(THIEF) })],
    ['another contract', 'receiver', approve(), raw({ to: THIEF })],
    ['coins', 'value', approve(), raw({ value: 1n })],
    ['more gas', 'fee', approve(), raw({ gas: 60_001n })],
    ['a higher price', 'fee', approve(), raw({ feeCap: 41n })],
    ['a higher tip', 'fee', approve(), raw({ tip: 2n })],
    ['another key', 'signer', approve(), raw({}, wordOf(2n))],
    ['no transaction', 'signature', approve(), { kind: 'approve_tx', raw: Uint8Array.of(2, 1) }],
    ['another permit', 'signer', permit(), otherPermit],
    ['an authorization of another chain', 'chain', authorization(), signedAs({ chainId: 1n })],
    ['an authorization of other code', 'delegate', authorization(), signedAs({ address: THIEF })],
    ['an authorization of another nonce', 'nonce', authorization(), signedAs({ nonce: 1n })],
    ['an authorization of another key', 'signer', authorization(), signedAs({}, wordOf(2n))],
    ['a signature of another kind', 'signature', authorization(), otherPermit],
  ])('does not take a signature of %s', (_, fault, permission, signed) => {
    expect(faultOfSignature(permission, signed)).toBe(fault)
  })

  it('does not take the same signature with a high s', () => {
    const order = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n
    const signed = signAuthorization(AUTHORIZATION, KEY)
    const altered = { ...signed, s: order - signed.s, yParity: 1 - signed.yParity }
    expect(authorityOf(signed)).toBe(FROM)
    expect(authorityOf(altered)).toBeNull()
  })

  it('reads no bytes that were changed anywhere as the same transaction', () => {
    const { raw: bytes } = signFeeTransaction(APPROVAL, KEY)
    expect(readFeeTransaction(bytes)).toMatchObject({ from: FROM, nonce: 3n, to: TOKEN })
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = bytes.map((byte, index) => (index === at ? (byte + by) % 256 : byte))
        expect(faultOfSignature(approve(), { kind: 'approve_tx', raw: changed })).not.toBeNull()
      }),
    )
  })
})

describe('RLP', () => {
  const bytes = fc.uint8Array({ maxLength: 70 })
  const item = fc.letrec<{ item: Rlp }>((tie) => ({
    item: fc.oneof({ maxDepth: 3 }, bytes, fc.array(tie('item'), { maxLength: 4 })),
  })).item

  it('reads what it wrote', () => {
    fc.assert(
      fc.property(item, (one) => {
        expect(decodeRlp(encodeRlp(one))).toEqual(one)
      }),
    )
  })

  it.each(['8100', 'b800', 'c2', '83aabb', 'f800', 'c1', '00ff', ''])('does not read %s', (hex) => {
    expect(decodeRlp(hexToBytes(hex))).toBeNull()
  })
})
