/** Payments as Solana messages: written for wallets to sign, and read again from the signed bytes. */
import { concatBytes } from '@noble/hashes/utils.js'

import type { Instruction, Message } from './message.ts'

/** 32 zero bytes: the program that moves the chain's own coin. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111'
/** The classic token program; tokens of other programs are never credited. */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** The program that opens the one account of an owner for a token whose address everybody can compute. */
export const ASSOCIATED_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
/** The program that limits a transaction's compute units and sets their price. */
export const COMPUTE_PROGRAM = 'ComputeBudget111111111111111111111111111111'

/** The price of a compute unit is in micro-lamports. */
export const MICRO_LAMPORTS = 1_000_000n

/** The most that a higher priority may cost, in lamports: twenty times the plain fee. */
export const MOST_PRIORITY_FEE = 100_000n

/**
 * Programs whose instructions move nothing: prices of compute units, notes, and what wallets add to protect their owner
 * (Lighthouse).
 */
const HARMLESS: ReadonlySet<string> = new Set([
  COMPUTE_PROGRAM,
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
])

/** A payment that a message makes: of the native coin where `mint` is null, otherwise of a token. */
export type Movement = {
  readonly from: string
  readonly to: string
  readonly mint: string | null
  readonly units: bigint
}

/**
 * Returns the one payment of a message; null when it makes none, several, or does anything else. The receiver of a token is the
 * owner for whom the same message opens the account unless it exists: the program refuses an account of another owner.
 */
export function movementOf({ payer, instructions }: Message): Movement | null {
  const [first, second, ...more] = instructions.filter(({ program }) => !HARMLESS.has(program))
  if (!first || more.length > 0) return null
  const movement = second ? tokenMovement(payer, first, second) : coinMovement(payer, first)
  return movement !== null && movement.units > 0n ? movement : null
}

/**
 * Whether a message makes one payment and nothing else, except to price its compute units within `MOST_PRIORITY_FEE`. A page
 * lets a wallet sign only such messages, from any author.
 */
export function isPlain({ instructions }: Message): boolean {
  const others = instructions.filter(({ program }) => HARMLESS.has(program))
  const [limits, prices] = [others.filter(isOf(LIMIT)), others.filter(isOf(PRICE))]
  const isKnown = limits.length <= 1 && prices.length <= 1 && limits.length + prices.length === others.length
  const limit = limits[0] ? numberAt(limits[0].data, 1, 4) : MOST_COMPUTE_UNITS
  const price = prices[0] ? numberAt(prices[0].data, 1, 8) : 0n
  return isKnown && limit * price <= MOST_PRIORITY_FEE * MICRO_LAMPORTS
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

type TokenAccount = { readonly account: string; readonly owner: string; readonly mint: string }

/** Opens the account of an owner for a token unless it is there (Associated Token Account program, instruction 1). */
export function openTokenAccount(payer: string, { account, owner, mint }: TokenAccount): Instruction {
  return {
    program: ASSOCIATED_PROGRAM,
    accounts: [
      { address: payer, isSigner: true, isWritable: true },
      { address: account, isWritable: true },
      { address: owner },
      { address: mint },
      { address: SYSTEM_PROGRAM },
      { address: TOKEN_PROGRAM },
    ],
    data: Uint8Array.of(OPEN_UNLESS_THERE),
  }
}

/** Moves units of a token from one token account, whose owner signs, to another (token program, `TransferChecked`). */
export function transferToken(
  mint: string,
  move: {
    readonly owner: string
    readonly source: string
    readonly target: string
    readonly units: bigint
    readonly decimals: number
  },
): Instruction {
  return {
    program: TOKEN_PROGRAM,
    accounts: [
      { address: move.source, isWritable: true },
      { address: mint },
      { address: move.target, isWritable: true },
      { address: move.owner, isSigner: true },
    ],
    data: concatBytes(Uint8Array.of(TRANSFER_CHECKED), littleEndian(move.units, 8), Uint8Array.of(move.decimals)),
  }
}

/** Writes a number with its lowest byte first. */
export function littleEndian(value: bigint, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
}

/** Instructions of the Compute Budget program, with their bytes. */
const LIMIT = { kind: 2, bytes: 5 } as const
const PRICE = { kind: 3, bytes: 9 } as const
/** The limit of a transaction that names none is lower than this, the highest that the network grants. */
const MOST_COMPUTE_UNITS = 1_400_000n

function isOf({ kind, bytes }: typeof LIMIT | typeof PRICE) {
  return ({ program, data }: Instruction) => program === COMPUTE_PROGRAM && data[0] === kind && data.length === bytes
}

const COIN_BYTES = 12
const COIN_TRANSFER = 2n
const TRANSFER_CHECKED = 12
const TRANSFER_BYTES = 10
const OPEN_UNLESS_THERE = 1

function coinMovement(payer: string, { program, accounts, data }: Instruction): Movement | null {
  const [from, to, ...more] = accounts
  const isTransfer = program === SYSTEM_PROGRAM && data.length === COIN_BYTES && numberAt(data, 0, 4) === COIN_TRANSFER
  if (!isTransfer || from?.address !== payer || !to || more.length > 0) return null
  return { from: payer, to: to.address, mint: null, units: numberAt(data, 4, 8) }
}

function tokenMovement(payer: string, opening: Instruction, transfer: Instruction): Movement | null {
  const isOpening =
    opening.program === ASSOCIATED_PROGRAM && opening.data.length === 1 && opening.data[0] === OPEN_UNLESS_THERE
  const isTransfer =
    transfer.program === TOKEN_PROGRAM &&
    transfer.data.length === TRANSFER_BYTES &&
    transfer.data[0] === TRANSFER_CHECKED
  const [funder, account, owner, mint] = opening.accounts
  const [, moved, target, authority, ...more] = transfer.accounts
  if (!isOpening || !isTransfer || !account || !owner || !mint || more.length > 0) return null
  if (opening.accounts[5]?.address !== TOKEN_PROGRAM || funder?.address !== payer) return null
  if (target?.address !== account.address || moved?.address !== mint.address) return null
  if (authority?.address !== payer) return null
  return { from: payer, to: owner.address, mint: mint.address, units: numberAt(transfer.data, 1, 8) }
}

function numberAt(data: Uint8Array, from: number, length: number): bigint {
  let value = 0n
  for (let at = length - 1; at >= 0; at -= 1) value = (value << 8n) | BigInt(data[from + at] ?? 0)
  return value
}
