import { plainBase58 } from '@kassa/keys/solana-address.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { addressKey } from '../../solana/addresses/addresses.ts'
import { ASSOCIATED_PROGRAM, TOKEN_PROGRAM, tokenAccountOf } from '../../solana/addresses/token-accounts.ts'

/** 32 zero bytes: the program that moves the chain's own coin. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111'

export type Instruction = {
  readonly program: string
  readonly accounts: readonly { readonly address: string; readonly isSigner?: true; readonly isWritable?: true }[]
  readonly data: Uint8Array
}

/** A key of somebody who pays on a local chain. */
export type Payer = { readonly address: string; readonly seed: Uint8Array }

/** The payer of an ed25519 seed. */
export function payerOf(seed: Uint8Array): Payer {
  return { address: plainBase58(ed25519.getPublicKey(seed)), seed }
}

/** Moves lamports from one account to another (System program, instruction 2). */
export function transferCoin(from: string, to: string, units: bigint): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [
      { address: from, isSigner: true, isWritable: true },
      { address: to, isWritable: true },
    ],
    data: concatBytes(littleEndian(2n, 4), littleEndian(units, 8)),
  }
}

/** Opens the account of an owner for a token unless it is there (Associated Token Account program, instruction 1). */
export function openTokenAccount(payer: string, owner: string, mint: string): Instruction {
  return {
    program: ASSOCIATED_PROGRAM,
    accounts: [
      { address: payer, isSigner: true, isWritable: true },
      { address: tokenAccountOf(owner, mint), isWritable: true },
      { address: owner },
      { address: mint },
      { address: SYSTEM_PROGRAM },
      { address: TOKEN_PROGRAM },
    ],
    data: Uint8Array.of(1),
  }
}

/** Moves units of a token between the accounts of two owners (token program, `TransferChecked`). */
export function transferToken(
  mint: string,
  move: { readonly from: string; readonly to: string; readonly units: bigint; readonly decimals: number },
): Instruction {
  return {
    program: TOKEN_PROGRAM,
    accounts: [
      { address: tokenAccountOf(move.from, mint), isWritable: true },
      { address: mint },
      { address: tokenAccountOf(move.to, mint), isWritable: true },
      { address: move.from, isSigner: true },
    ],
    data: concatBytes(Uint8Array.of(12), littleEndian(move.units, 8), Uint8Array.of(move.decimals)),
  }
}

/** Signs a transaction of these instructions, whose fee its one signer pays (https://solana.com/docs/core/transactions). */
export function signTransaction(payer: Payer, blockhash: string, instructions: readonly Instruction[]): Uint8Array {
  const message = messageOf(payer.address, blockhash, instructions)
  return concatBytes(Uint8Array.of(1), ed25519.sign(message, payer.seed), message)
}

function messageOf(payer: string, blockhash: string, instructions: readonly Instruction[]): Uint8Array {
  const used = instructions.flatMap(({ program, accounts }) => [...accounts, { address: program }])
  const writable = new Set(used.flatMap((one) => ('isWritable' in one && one.isWritable ? [one.address] : [])))
  const all = [...new Set([payer, ...used.map(({ address }) => address)])]
  const changed = all.filter((address) => address !== payer && writable.has(address))
  const read = all.filter((address) => address !== payer && !writable.has(address))
  const keys = [payer, ...changed, ...read]
  return concatBytes(
    // One signature, and it may change its account; then those that nobody signs for and nobody changes.
    Uint8Array.of(1, 0, read.length),
    short(keys.length),
    ...keys.map(addressKey),
    addressKey(blockhash),
    short(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(keys.indexOf(program)),
      short(accounts.length),
      Uint8Array.from(accounts, ({ address }) => keys.indexOf(address)),
      short(data.length),
      data,
    ]),
  )
}

/** A length in one byte ("compact-u16"): none here needs more. */
function short(length: number): Uint8Array {
  if (length > 127) throw new RangeError('This transaction is larger than those of a local chain')
  return Uint8Array.of(length)
}

function littleEndian(value: bigint, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
}
