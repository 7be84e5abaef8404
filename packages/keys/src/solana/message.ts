/**
 * Messages of Solana transactions (https://solana.com/docs/core/transactions), as their one signer signs them. Browser and
 * server read the same bytes with this file.
 */
import { concatBytes } from '@noble/hashes/utils.js'

import { plainBase58, readSolanaAddress, SOLANA_KEY_BYTES } from './address.ts'

/** One call of a program; its accounts by address. */
export type Instruction = {
  readonly program: string
  readonly accounts: readonly { readonly address: string; readonly isSigner?: true; readonly isWritable?: true }[]
  readonly data: Uint8Array
}

/** A message with one signer, who also pays its fee. */
export type Message = {
  readonly payer: string
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
}

/** Bytes of a signature, which also names its transaction. */
export const SIGNATURE_BYTES = 64
/** Marks a message with a version in the first byte (https://solana.com/docs/advanced/versions). */
const VERSIONED = 0x80
/** What nodes take of one transaction. */
const MOST_BYTES = 1232

/** Writes the legacy form, which every wallet signs. @throws RangeError when it is larger than nodes take */
export function writeMessage({ payer, blockhash, instructions }: Message): Uint8Array {
  const used = instructions.flatMap(({ program, accounts }) => [...accounts, { address: program }])
  const writable = new Set(used.flatMap((one) => ('isWritable' in one && one.isWritable ? [one.address] : [])))
  const others = [...new Set(used.map(({ address }) => address))].filter((address) => address !== payer)
  const changed = others.filter((address) => writable.has(address))
  const read = others.filter((address) => !writable.has(address))
  const keys = [payer, ...changed, ...read]
  const bytes = concatBytes(
    // One signature, whose account may change; then the accounts without a signature that nothing changes.
    Uint8Array.of(1, 0, read.length),
    short(keys.length),
    ...keys.map(keyOf),
    keyOf(blockhash),
    short(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(keys.indexOf(program)),
      short(accounts.length),
      Uint8Array.from(accounts, ({ address }) => keys.indexOf(address)),
      short(data.length),
      data,
    ]),
  )
  if (bytes.length + SIGNATURE_BYTES + 1 > MOST_BYTES) throw new RangeError('The transaction is larger than nodes take')
  return bytes
}

/** Puts the one signature before a message, as nodes accept them. */
export function signedTransaction(message: Uint8Array, signature: Uint8Array): Uint8Array {
  if (signature.length !== SIGNATURE_BYTES) throw new RangeError('A signature has 64 bytes')
  return concatBytes(Uint8Array.of(1), signature, message)
}

/** Splits a transaction with one signature; null when it has more or fewer. */
export function readSigned(bytes: Uint8Array): { readonly signature: Uint8Array; readonly message: Uint8Array } | null {
  if (bytes[0] !== 1 || bytes.length <= SIGNATURE_BYTES + 1) return null
  return { signature: bytes.slice(1, SIGNATURE_BYTES + 1), message: bytes.slice(SIGNATURE_BYTES + 1) }
}

/** Reads a message of one signer, legacy or of version 0 without lookup tables; null for anything else. */
export function readMessage(bytes: Uint8Array): Message | null {
  try {
    return readStrictly(bytes)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function readStrictly(bytes: Uint8Array): Message | null {
  if (bytes.length + SIGNATURE_BYTES + 1 > MOST_BYTES) return null
  const isVersioned = ((bytes[0] ?? 0) & VERSIONED) !== 0
  if (isVersioned && bytes[0] !== VERSIONED) return null
  const reader = readerOf(bytes, isVersioned ? 1 : 0)
  const [signers, readSigners, readOthers] = [reader.byte(), reader.byte(), reader.byte()]
  const keys = Array.from({ length: reader.length() }, () => plainBase58(reader.bytes(SOLANA_KEY_BYTES)))
  const [payer] = keys
  if (signers !== 1 || readSigners !== 0 || payer === undefined || readOthers >= keys.length) return null
  const blockhash = plainBase58(reader.bytes(SOLANA_KEY_BYTES))
  const accountAt = (at: number) => {
    const address = keys[at]
    if (address === undefined) throw new RangeError('An instruction names an account that is not there')
    return {
      address,
      ...(at === 0 && { isSigner: true as const }),
      ...(at < keys.length - readOthers && { isWritable: true as const }),
    }
  }
  const instructions = Array.from({ length: reader.length() }, () => {
    const at = reader.byte()
    // The account that pays cannot be a program.
    if (at === 0) throw new RangeError('An instruction has no program')
    const program = accountAt(at).address
    const accounts = Array.from(reader.bytes(reader.length()), accountAt)
    return { program, accounts, data: reader.bytes(reader.length()) }
  })
  // The message itself does not name accounts of lookup tables.
  if (isVersioned && reader.length() !== 0) return null
  return reader.isAtEnd() ? { payer, blockhash, instructions } : null
}

function readerOf(all: Uint8Array, from: number) {
  let at = from
  const bytes = (length: number): Uint8Array => {
    if (at + length > all.length) throw new RangeError('The message ends too early')
    at += length
    return all.slice(at - length, at)
  }
  const byte = (): number => bytes(1)[0] ?? 0
  return {
    bytes,
    byte,
    /** "compact-u16": seven bits at a time, the lowest first. */
    length: (): number => {
      const first = byte()
      if (first < 0x80) return first
      const second = byte()
      // One byte would have sufficed, or three are needed: nodes refuse the first form, and no transaction is long enough for
      // the second.
      if (second === 0 || second >= 0x80) throw new RangeError('A length is written otherwise')
      return (first & 0x7f) | (second << 7)
    },
    isAtEnd: () => at === all.length,
  }
}

function short(length: number): Uint8Array {
  return length < 0x80 ? Uint8Array.of(length) : Uint8Array.of((length & 0x7f) | 0x80, length >> 7)
}

function keyOf(address: string): Uint8Array {
  const key = readSolanaAddress(address)
  if (!key) throw new RangeError('This is no address of Solana')
  return key
}
