/** Permissions and their signatures as JSON: in a job for the signer, in its answer, and on the wire (api.md K12, K16). */
import type { SignedAuthorization } from './authorization.ts'
import { bytesOf, hexOf, type Permission, type PermissionSignature } from './permission.ts'

/** What is to be signed, on a network of EVM or on TRON. Numbers of units, gas and wei are whole and written in decimal. */
export type PermissionJson = {
  readonly kind: 'approve_tx' | 'permit' | 'authorization' | 'transfer_tx'
  readonly from: string
  readonly chainId: number
  readonly to: string | null
  readonly data: string | null
  readonly value: string | null
  readonly nonce: number | null
  readonly gasLimit: string | null
  /** Wei for one unit of gas; on TRON the most that it may cost, in sun. */
  readonly maxFee: string | null
  readonly maxPriorityFee: string | null
  readonly permit: PermitJson | null
  readonly authorization: { readonly chainId: number; readonly address: string; readonly nonce: number } | null
  /** TRON: the bytes to sign, in hex without `0x`; null or absent elsewhere. */
  readonly rawData?: string | null
}

/** Typed data as wallets take it (EIP-712). */
type PermitJson = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, unknown>>
  readonly message: Readonly<Record<string, unknown>>
}

export type SignatureJson =
  | { readonly signedTransaction: string }
  | { readonly permit: { readonly v: number; readonly r: string; readonly s: string; deadline: string; value: string } }
  | {
      readonly authorization: {
        readonly chainId: number
        readonly address: string
        readonly nonce: number
        readonly yParity: number
        readonly r: string
        readonly s: string
      }
    }

const PERMIT_TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

const NOTHING = {
  ...{ to: null, data: null, value: null, nonce: null, gasLimit: null, maxFee: null, maxPriorityFee: null },
  ...{ permit: null, authorization: null },
}

/** Writes a permission as JSON. */
export function permissionJson(permission: Permission): PermissionJson {
  const { kind, from } = permission
  if (permission.kind === 'permit') {
    const { domain, message } = permission
    const { owner, spender, value, nonce, deadline } = message
    const numbers = { value: String(value), nonce: String(nonce), deadline: String(deadline) }
    const chainId = Number(domain.chainId)
    const permit = { domain: { ...domain, chainId }, types: PERMIT_TYPES, message: { owner, spender, ...numbers } }
    return { ...NOTHING, kind, from, chainId, permit }
  }
  if (permission.kind === 'authorization') {
    const { chainId, address, nonce } = permission.authorization
    const authorization = { chainId: Number(chainId), address, nonce: Number(nonce) }
    return { ...NOTHING, kind, from, chainId: Number(chainId), authorization }
  }
  const { chainId, nonce, tip, feeCap, gas, to, value, data } = permission.tx
  return {
    ...NOTHING,
    ...{ kind, from, chainId: Number(chainId), to, data, value: String(value), nonce: Number(nonce) },
    ...{ gasLimit: String(gas), maxFee: String(feeCap), maxPriorityFee: String(tip) },
  }
}

/** Reads a permission; null when a part is missing, of another type or out of range. The caller must still check what it does. */
export function readPermission(json: unknown): Permission | null {
  try {
    const one = record(json)
    const from = address(one['from'])
    switch (one['kind']) {
      case 'permit':
        return { kind: 'permit', from, ...permitOf(record(one['permit'])) }
      case 'authorization': {
        const { chainId, address: delegate, nonce } = record(one['authorization'])
        const authorization = { chainId: whole(chainId), address: address(delegate), nonce: whole(nonce) }
        return { kind: 'authorization', from, authorization }
      }
      case 'approve_tx':
      case 'transfer_tx':
        return { kind: one['kind'], from, tx: transactionOf(one) }
      default:
        return null
    }
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

/** Writes what was signed as JSON. */
export function signatureJson(permission: Permission, signed: PermissionSignature): SignatureJson {
  if (signed.kind === 'authorization') {
    const { chainId, address: delegate, nonce, yParity, r, s } = signed.authorization
    const numbers = { chainId: Number(chainId), nonce: Number(nonce), yParity }
    return { authorization: { ...numbers, address: delegate, r: word(r), s: word(s) } }
  }
  if (signed.kind === 'permit' && permission.kind === 'permit') {
    const { yParity, r, s } = signed.signature
    const { deadline, value } = permission.message
    return { permit: { v: 27 + yParity, r: word(r), s: word(s), deadline: String(deadline), value: String(value) } }
  }
  if (!('raw' in signed)) throw new Error('The signature is of another permission')
  return { signedTransaction: hexOf(signed.raw) }
}

/** Reads a signature for a permission of one kind; null when it is not of that kind. */
export function readSignature(kind: Permission['kind'], json: unknown): PermissionSignature | null {
  try {
    const one = record(json)
    if (kind === 'permit') {
      const { v, r, s } = record(one['permit'])
      return { kind, signature: { yParity: parityOf(whole(v)), r: whole(r), s: whole(s) } }
    }
    if (kind === 'authorization') return { kind, authorization: authorizationOf(record(one['authorization'])) }
    const raw = bytesOf(text(one['signedTransaction']))
    return raw && { kind, raw }
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

class Unreadable extends Error {}

function authorizationOf(one: Readonly<Record<string, unknown>>): SignedAuthorization {
  const named = { chainId: whole(one['chainId']), address: address(one['address']), nonce: whole(one['nonce']) }
  return { ...named, yParity: Number(whole(one['yParity'])), r: whole(one['r']), s: whole(one['s']) }
}

/** Most wallets write 27 and 28, some 0 and 1. */
function parityOf(v: bigint): number {
  return Number(v >= 27n ? v - 27n : v)
}

function permitOf({ domain, message }: Readonly<Record<string, unknown>>) {
  const { name, version, chainId, verifyingContract } = record(domain)
  const { owner, spender, value, nonce, deadline } = record(message)
  return {
    domain: {
      ...{ name: text(name), version: text(version), chainId: whole(chainId) },
      verifyingContract: address(verifyingContract),
    },
    message: {
      ...{ owner: address(owner), spender: address(spender), value: whole(value) },
      ...{ nonce: whole(nonce), deadline: whole(deadline) },
    },
  }
}

function transactionOf(one: Readonly<Record<string, unknown>>) {
  const data = text(one['data'])
  if (!bytesOf(data)) throw new Unreadable()
  return {
    ...{ chainId: whole(one['chainId']), nonce: whole(one['nonce']), to: address(one['to']), data },
    ...{ value: whole(one['value']), gas: whole(one['gasLimit']) },
    ...{ feeCap: whole(one['maxFee']), tip: whole(one['maxPriorityFee']) },
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Unreadable()
  return value as Readonly<Record<string, unknown>>
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Unreadable()
  return value
}

function address(value: unknown): string {
  if (!/^0x[0-9a-f]{40}$/i.test(text(value))) throw new Unreadable()
  return text(value)
}

/** A whole number of at most 256 bits: digits, hex with `0x`, or a number that JSON represents exactly. */
function whole(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (!/^(\d{1,78}|0x[0-9a-f]{1,64})$/i.test(text(value))) throw new Unreadable()
  const number = BigInt(text(value))
  if (number >= 2n ** 256n) throw new Unreadable()
  return number
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
