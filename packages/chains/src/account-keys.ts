import { isSecret } from '@kassa/keys/secret-text.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  ACCOUNT_DEPTH,
  EXTENDED_KEY_KINDS,
  type ExtendedKey,
  type ExtendedKeyKind,
  parseExtendedKey,
} from '@kassa/keys/extended-key.ts'
import { createHmac } from 'node:crypto'
import type { DepositSource } from './adapter.ts'
import { InvalidInput } from './errors.ts'

/** Indexes from here on are hardened and need the private key (BIP-32). */
const HARDENED = 0x80000000

/** Parsed chain nodes kept in memory: many more than an install has deposit wallets. */
const CACHED_NODES = 256

const PATH = /^m(\/\d{1,10}'?)+$/

type ChainNode = {
  readonly point: InstanceType<typeof secp256k1.Point>
  readonly key: Uint8Array
  readonly chainCode: Uint8Array
}

const nodes = new Map<string, ChainNode>()

/** Which keys a family accepts: their kinds, the usual one first, and the path of the usual account. */
export type AccountRule = { readonly accountPath: string; readonly kinds: readonly ExtendedKeyKind[] }

/**
 * Reads the extended public key of an account, for the families whose addresses are made of secp256k1 keys: text, or
 * `{ xpub, path }` when it is not the usual account.
 * @throws InvalidInput XPUB_INVALID, XPUB_IS_PRIVATE
 */
export function readAccountKey(source: unknown, { accountPath, kinds }: AccountRule): DepositSource {
  const { xpub, path } = textOfKey(source)
  const node = parseKey(xpub, kinds)
  if (path === undefined && node.depth !== ACCOUNT_DEPTH) {
    throw new InvalidInput(
      'XPUB_INVALID',
      `This key is at depth ${node.depth}; paste the account's key (${accountPath}) or state its path`,
    )
  }
  if (path !== undefined) refuseOtherPath(path, node, accountPath)
  return { kind: 'xpub', xpub, path: path ?? accountPath, fingerprint: node.fingerprint }
}

/**
 * Derives the public key of child 0/index (BIP-32): 65 bytes, or 33 when compressed. It computes with points, so that no key is
 * compressed and parsed again per address.
 * @throws RangeError for an index that has no key
 */
export function childPublicKey(source: DepositSource, index: number, isCompressed = false): Uint8Array {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED)
    throw new RangeError('An address index is from 0 to 2^31−1')
  const parent = chainNode(source)
  const seed = Buffer.alloc(37)
  seed.set(parent.key)
  seed.writeUInt32BE(index, 33)
  const digest = createHmac('sha512', parent.chainCode).update(seed).digest('hex')
  const tweak = BigInt(`0x${digest.slice(0, 64)}`)
  if (tweak === 0n || tweak >= secp256k1.Point.Fn.ORDER)
    throw new RangeError(`Index ${index} has no address (BIP-32): use the next`)
  return secp256k1.Point.BASE.multiplyUnsafe(tweak).add(parent.point).toBytes(isCompressed)
}

/**
 * Reads the text of a key and the path given with it.
 * @throws InvalidInput XPUB_INVALID when there is none, XPUB_IS_PRIVATE
 */
export function textOfKey(source: unknown): { xpub: string; path?: string } {
  const text = textIn(source)
  refusePrivate(text.xpub)
  return text
}

function textIn(source: unknown): { xpub: string; path?: string } {
  if (typeof source === 'string') return { xpub: source.trim() }
  const { xpub, path } = (typeof source === 'object' && source !== null ? source : {}) as Partial<DepositSource>
  if (typeof xpub !== 'string')
    throw new InvalidInput('XPUB_INVALID', 'Paste an extended public key (it starts with xpub)')
  return typeof path === 'string' && path !== '' ? { xpub: xpub.trim(), path } : { xpub: xpub.trim() }
}

/** Recognises secrets that were pasted by mistake, so that their owner learns that they are no longer secret. */
function refusePrivate(text: string): void {
  if (!isSecret(text)) return
  throw new InvalidInput(
    'XPUB_IS_PRIVATE',
    'This is a private key. Never paste it anywhere: move its funds, and paste the public key (xpub)',
  )
}

function parseKey(xpub: string, kinds: readonly ExtendedKeyKind[]): ExtendedKey {
  if (!kinds.some((kind) => xpub.startsWith(kind))) {
    const words = new Intl.ListFormat('en', { type: 'disjunction' }).format(kinds)
    throw new InvalidInput('XPUB_INVALID', `An extended public key for this chain starts with ${words}`)
  }
  const key = parseExtendedKey(xpub, kinds)
  if (key) return key
  throw new InvalidInput('XPUB_INVALID', 'The key is damaged: copy all of it again')
}

function refuseOtherPath(path: string, node: ExtendedKey, accountPath: string): void {
  if (!PATH.test(path)) throw new InvalidInput('XPUB_INVALID', `A path looks like ${accountPath}`)
  const steps = path.split('/').slice(1)
  const last = steps.at(-1) ?? ''
  const index = Number.parseInt(last, 10) + (last.endsWith("'") ? HARDENED : 0)
  if (steps.length !== node.depth || index !== node.index) {
    throw new InvalidInput('XPUB_INVALID', `This key is not at ${path}`)
  }
}

function chainNode(source: DepositSource): ChainNode {
  const known = nodes.get(source.xpub)
  if (known) return known
  const node = parseKey(source.xpub, EXTENDED_KEY_KINDS).child(0)
  const parsed = { point: secp256k1.Point.fromBytes(node.publicKey), key: node.publicKey, chainCode: node.chainCode }
  if (nodes.size >= CACHED_NODES) nodes.clear()
  nodes.set(source.xpub, parsed)
  return parsed
}
