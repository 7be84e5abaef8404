/**
 * What the key of a deposit address of TRON may sign: that its vault may take a token (approve), or that its coins go to the
 * collector (transfer). Only the bytes count; whatever else a job says about them is ignored.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { accountOf } from '../address-text.ts'
import { type Destination, EVERYTHING, type PermissionFault } from '../evm/permission.ts'
import type { PermissionJson } from '../evm/permission-json.ts'
import { PermissionRefused } from '../evm/permission-signing.ts'
import { readTronText, tronText } from './address.ts'
import {
  type NewTransaction,
  readRawTransaction,
  readSignedTransaction,
  signTransaction,
  transactionSigner,
  writeRawTransaction,
  writeSignedTransaction,
} from './transaction.ts'

/** One thing to sign. `from` is the deposit address as people read it. */
export type TronPermission = {
  readonly kind: 'approve_tx' | 'transfer_tx'
  readonly from: string
  /** The network it claims to be for. The bytes name a block of that network, which only its nodes can check. */
  readonly chainId: bigint
  /** The bytes to be signed, and what they do. */
  readonly raw: Uint8Array
  readonly tx: NewTransaction
}

/** First four bytes of keccak256("approve(address,uint256)") (TRC-20). */
const APPROVE = '095ea7b3'

/** Encodes the call by which a deposit address lets a vault take a token. `vault` has 20 bytes. */
export function tronApproveCall(vault: Uint8Array): Uint8Array {
  return hexToBytes(`${APPROVE}${bytesToHex(vault).padStart(64, '0')}${EVERYTHING.toString(16)}`)
}

/**
 * Writes a permission as JSON. `maxFee` is the most that it may cost in sun, including its bytes, whose price no transaction
 * states.
 */
export function tronPermissionJson(
  { kind, from, chainId, tx }: Omit<TronPermission, 'raw'>,
  maxFee: bigint,
): PermissionJson {
  const { message } = tx
  return {
    ...{ kind, from, chainId: Number(chainId), to: tronText(message.to), value: String(message.units) },
    data: message.kind === 'call' ? `0x${bytesToHex(message.data)}` : '0x',
    ...{ nonce: null, gasLimit: null, maxFee: String(maxFee), maxPriorityFee: null },
    ...{ permit: null, authorization: null, rawData: bytesToHex(writeRawTransaction(tx)) },
  }
}

/**
 * Reads a permission; null when it is not one of TRON, or its bytes do more than a transfer or a call. The caller must still
 * check what it does.
 */
export function readTronPermission(json: unknown): TronPermission | null {
  if (typeof json !== 'object' || json === null) return null
  const { kind, from, chainId, rawData } = json as Readonly<Record<string, unknown>>
  if ((kind !== 'approve_tx' && kind !== 'transfer_tx') || typeof from !== 'string' || !readTronText(from)) return null
  if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || typeof rawData !== 'string') return null
  if (rawData.length > MOST_DIGITS || !/^([0-9a-f]{2})+$/.test(rawData)) return null
  const raw = hexToBytes(rawData)
  const tx = readExactly(raw)
  return tx && { kind, from, chainId: BigInt(chainId), raw, tx }
}

/** Several times as much as an approval has. */
const MOST_DIGITS = 4000

/** Returns what would make a permission do anything but bring money to its destination; null when nothing would. */
export function faultOfTron(
  { kind, from, chainId, tx }: TronPermission,
  destination: Destination,
): PermissionFault | null {
  const { message, feeLimit } = tx
  if (chainId !== destination.chainId) return 'chain'
  if (tronText(message.from) !== from) return 'signer'
  if (kind === 'transfer_tx') {
    if (destination.token !== null) return 'token'
    if (message.kind !== 'transfer') return 'call'
    if (tronText(message.to) !== destination.collector) return 'receiver'
    if (message.units <= 0n) return 'value'
    return feeLimit === 0n ? null : 'fee'
  }
  if (message.kind !== 'call') return 'call'
  if (destination.token === null || tronText(message.to) !== destination.token) return 'token'
  if (message.units !== 0n) return 'value'
  const match = /^095ea7b30{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(bytesToHex(message.data))
  if (!match) return 'call'
  if (tronText(hexToBytes(match[1] ?? '')) !== destination.vault) return 'spender'
  if (BigInt(`0x${match[2]}`) !== EVERYTHING) return 'amount'
  return feeLimit > destination.mostFee ? 'fee' : null
}

/**
 * Checks a permission and signs it with the key of its deposit address; returns the signed transaction.
 * @throws PermissionRefused when it does anything but bring money to the destination, or the key belongs to another address
 */
export function signTronPermission(permission: TronPermission, destination: Destination, key: Uint8Array): Uint8Array {
  const fault = faultOfTron(permission, destination)
  if (fault !== null) throw new PermissionRefused(fault)
  if (tronText(accountOf(secp256k1.getPublicKey(key))) !== permission.from) throw new PermissionRefused('signer')
  return signTransaction(permission.raw, key).raw
}

/**
 * What was signed, in the canonical form in which it is broadcast; or what is wrong with it, and the signer where that is the
 * fault.
 */
export type TronSignature =
  | { readonly kind: 'signed'; readonly signed: Uint8Array }
  | { readonly kind: 'wrong'; readonly fault: PermissionFault; readonly found: string }

/** Reads a signed transaction and compares it with the permission that was handed out, byte by byte. */
export function readTronSignature({ from, raw }: TronPermission, bytes: Uint8Array): TronSignature {
  const wrong = (fault: PermissionFault, found = '') => ({ kind: 'wrong', fault, found }) as const
  const read = partsOf(bytes)
  const [signature, ...more] = read?.signatures ?? []
  if (!read || !signature || more.length > 0) return wrong('signature')
  if (bytesToHex(read.raw) !== bytesToHex(raw)) return wrong('call')
  const account = transactionSigner(raw, signature)
  if (!account) return wrong('signature')
  if (tronText(account) !== from) return wrong('signer', tronText(account))
  return { kind: 'signed', signed: writeSignedTransaction(raw, signature) }
}

function partsOf(bytes: Uint8Array) {
  return orNull(() => readSignedTransaction(bytes))
}

/** Reads bytes of which every one is understood: written again, they are the same. */
function readExactly(raw: Uint8Array): NewTransaction | null {
  return orNull(() => {
    const { message, ...rest } = readRawTransaction(raw)
    if (message.kind === 'other') return null
    const tx = { ...rest, message }
    return bytesToHex(writeRawTransaction(tx)) === bytesToHex(raw) ? tx : null
  })
}

/** Bytes from strangers may be anything, so errors of reading are caught. */
function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
