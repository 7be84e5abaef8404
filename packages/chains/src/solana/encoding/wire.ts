import { readSolanaAddress, readSolanaSignature } from '@kassa/keys/solana/address.ts'
import type { BlockRef } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'

/** Answers of a Solana node (https://solana.com/docs/rpc), strictly parsed. A height is a slot, and slots may be empty. */
export type WireBlock = BlockRef & { readonly parentHeight: number; readonly transactions: readonly WireTransaction[] }

export type WireTransaction = {
  readonly txId: string
  /** The node says that it failed: then it moved nothing but its fee. */
  readonly isSuccess: boolean
  readonly fee: bigint
  /** Every account that it uses, those of its lookup tables last, with its lamports before and after; the first pays the fee. */
  readonly accounts: readonly WireAccount[]
  /** What token accounts held before and after; 0 for an account that did not exist. */
  readonly tokens: readonly WireTokenChange[]
}

export type WireAccount = { readonly address: string; readonly before: bigint; readonly after: bigint }

export type WireTokenChange = {
  readonly account: string
  readonly program: string
  readonly mint: string
  readonly owner: string
  readonly before: bigint
  readonly after: bigint
}

export type Json = Readonly<Record<string, unknown>>

/** Reads a block of a slot with its transactions (`getBlock`, encoding json). @throws RetryableRpcError */
export function readBlock(slot: number, answer: unknown): WireBlock {
  const raw = object(answer, 'block')
  const transactions = list(raw['transactions'], 'transactions').map(readTransaction)
  return { ...refOf(slot, raw), parentHeight: slotOf(raw['parentSlot']), transactions }
}

/** Reads only a block's reference. @throws RetryableRpcError */
export function readBlockRef(slot: number, answer: unknown): BlockRef & { readonly parentHeight: number } {
  const raw = object(answer, 'block')
  return { ...refOf(slot, raw), parentHeight: slotOf(raw['parentSlot']) }
}

/** Reads a transaction with its balance changes (`transactions` of a block, or `getTransaction`). @throws RetryableRpcError */
export function readTransaction(answer: unknown): WireTransaction {
  const raw = object(answer, 'transaction')
  const meta = object(raw['meta'], 'meta')
  const transaction = object(raw['transaction'], 'transaction')
  const [txId] = list(transaction['signatures'], 'signatures')
  if (typeof txId !== 'string' || !readSolanaSignature(txId)) throw malformed('signature')
  const addresses = addressesOf(object(transaction['message'], 'message'), meta)
  const [before, after] = ['preBalances', 'postBalances'].map((name) => list(meta[name], name).map(whole))
  if (before?.length !== addresses.length || after?.length !== addresses.length) throw malformed('balances')
  return {
    txId,
    isSuccess: meta['err'] === null,
    fee: whole(meta['fee']),
    accounts: addresses.map((address, at) => ({ address, before: before[at] ?? 0n, after: after[at] ?? 0n })),
    tokens: tokensOf(addresses, meta),
  }
}

/** Reads a slot. */
export function slotOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw malformed('slot')
}

/** Reads a whole number that is not negative. */
export function whole(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw malformed('number')
}

/** Reads an object. */
export function object(value: unknown, name: string): Json {
  if (typeof value !== 'object' || value === null) throw malformed(name)
  return value as Json
}

/** Reads a list. */
export function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name)
  return value
}

/** The error for an answer that does not match its call. */
export function malformed(name: string): RetryableRpcError {
  return new RetryableRpcError('malformed', `The node's answer has a malformed ${name}`)
}

function refOf(height: number, raw: Json): BlockRef {
  const { blockTime } = raw
  if (typeof blockTime !== 'number') throw malformed('blockTime')
  return {
    height,
    hash: address(raw['blockhash'], 'blockhash'),
    parentHash: address(raw['previousBlockhash'], 'previousBlockhash'),
    minedAt: new Date(blockTime * 1000),
  }
}

/** The message's own accounts, then those that lookup tables added: writable ones first (versioned transactions). */
function addressesOf(message: Json, meta: Json): string[] {
  const own = list(message['accountKeys'], 'accountKeys').map((one) =>
    address(typeof one === 'string' ? one : object(one, 'account')['pubkey'], 'account'),
  )
  if (meta['loadedAddresses'] === undefined || meta['loadedAddresses'] === null) return own
  const loaded = object(meta['loadedAddresses'], 'loadedAddresses')
  const [writable, readonly] = ['writable', 'readonly'].map((name) =>
    list(loaded[name], name).map((one) => address(one, name)),
  )
  return [...own, ...(writable ?? []), ...(readonly ?? [])]
}

type Held = Omit<WireTokenChange, 'before' | 'after'> & { readonly units: bigint }

function tokensOf(addresses: readonly string[], meta: Json): WireTokenChange[] {
  const [before, after] = ['preTokenBalances', 'postTokenBalances'].map(
    (name) => new Map(list(meta[name] ?? [], name).map((one) => heldOf(addresses, one))),
  )
  const places = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])
  return [...places].flatMap((at) => {
    const [was, is] = [before?.get(at), after?.get(at)]
    // An account that changed its owner or its token moved nothing: its units were there before.
    if (was && is && (was.owner !== is.owner || was.mint !== is.mint || was.program !== is.program)) return []
    const held = is ?? was
    if (!held) return []
    const { account, program, mint, owner } = held
    return [{ account, program, mint, owner, before: was?.units ?? 0n, after: is?.units ?? 0n }]
  })
}

function heldOf(addresses: readonly string[], answer: unknown): readonly [number, Held] {
  const raw = object(answer, 'token balance')
  const at = slotOf(raw['accountIndex'])
  const account = addresses[at]
  const units = object(raw['uiTokenAmount'], 'uiTokenAmount')['amount']
  if (account === undefined) throw malformed('accountIndex')
  if (typeof units !== 'string' || !/^\d{1,20}$/.test(units)) throw malformed('token amount')
  return [
    at,
    {
      account,
      program: text(raw['programId'], 'programId'),
      mint: text(raw['mint'], 'mint'),
      owner: text(raw['owner'], 'owner'),
      units: BigInt(units),
    },
  ]
}

/** Old recordings leave out the owner or the program: such a balance has no owner. */
function text(value: unknown, name: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw malformed(name)
  return value
}

function address(value: unknown, name: string): string {
  if (typeof value !== 'string' || !readSolanaAddress(value)) throw malformed(name)
  return value
}
