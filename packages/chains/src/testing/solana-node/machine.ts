import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@kassa/keys/solana/movement.ts'
import { SANDBOX_SOLANA_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { concatBytes } from '@noble/hashes/utils.js'
import {
  address,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  lamports,
  type Transaction,
} from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { plainBase58 } from '@kassa/keys/solana/address.ts'
import { addressKey } from '../../solana/addresses/addresses.ts'
import { tokenAccountOf } from '../../solana/addresses/token-accounts.ts'

/** A transaction as it was sent, with what its bytes say. */
export type Sent = {
  readonly txId: string
  readonly bytes: Uint8Array
  readonly blockhash: string
  readonly accounts: readonly string[]
  readonly transaction: Transaction
}

export type Held = {
  readonly mint: string
  readonly owner: string
  readonly program: string
  readonly units: bigint
  readonly decimals: number
}
/** What the accounts of a transaction hold, in their order. */
export type Snapshot = { readonly lamports: readonly bigint[]; readonly tokens: readonly (Held | null)[] }
export type Executed = {
  readonly sent: Sent
  readonly error: string | null
  readonly fee: bigint
  readonly before: Snapshot
  readonly after: Snapshot
}

/** Executes transactions as Solana does: its own programs run in LiteSVM. */
export type Machine = {
  /** Executes in this slot. A text says why no block may hold it. */
  execute(sent: Sent, slot: number): Executed | string
  /** Runs and changes nothing; why it fails, as the network names it, and the compute units it took. */
  simulate(
    sent: Sent,
    options: { readonly isSigned: boolean },
  ): { readonly error: string | null; readonly computeUnits: bigint }
  /** The lamports that an account with so many bytes must hold. */
  leastBalance(bytes: number): bigint
  account(of: string): { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array } | null
}

/** A billion coins and as many of each token are more than tests spend. */
const COINS = 10n ** 18n
const TOKENS = 10n ** 15n
const DECIMALS = 6
const FEE_PER_SIGNATURE = 5_000n

const MINT_BYTES = 82
const TOKEN_ACCOUNT_BYTES = 165

/** Reads the bytes of a transaction, with zeros for a signature only where that is said. @throws Error when they are none */
export function readSent(bytes: Uint8Array, { isSigned = true } = {}): Sent {
  const transaction = getTransactionDecoder().decode(bytes)
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  const [signature] = Object.values(transaction.signatures)
  if ((isSigned && !signature) || !('lifetimeToken' in message)) throw new Error('The transaction is not signed')
  return {
    txId: plainBase58(Uint8Array.from(signature ?? [])),
    bytes,
    blockhash: message.lifetimeToken,
    accounts: message.staticAccounts,
    transaction,
  }
}

/** Starts a machine on which the payer owns all coins and tokens. */
export function startMachine(payer: string): Machine {
  const svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n)
  const place = (at: string, program: string, data: Uint8Array, coins?: bigint) =>
    svm.setAccount({
      address: address(at),
      data,
      executable: false,
      lamports: lamports(coins ?? svm.minimumBalanceForRentExemption(BigInt(data.length))),
      programAddress: address(program),
      space: BigInt(data.length),
    })
  place(payer, SYSTEM_PROGRAM, new Uint8Array(), COINS)
  for (const mint of Object.values(SANDBOX_SOLANA_TOKENS)) {
    place(mint, TOKEN_PROGRAM, mintData())
    place(tokenAccountOf(payer, mint), TOKEN_PROGRAM, tokenAccountData(mint, payer))
  }
  const account: Machine['account'] = (of) => {
    const found = svm.getAccount(address(of))
    if (!found.exists) return null
    return { lamports: found.lamports, owner: found.programAddress, data: Uint8Array.from(found.data) }
  }
  const snapshot = (accounts: readonly string[]): Snapshot => ({
    lamports: accounts.map((one) => svm.getBalance(address(one)) ?? 0n),
    tokens: accounts.map((one) => heldIn(account(one))),
  })
  return {
    account,
    leastBalance: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    simulate(sent, { isSigned }) {
      svm.withSigverify(isSigned)
      const result = svm.simulateTransaction(sent.transaction)
      svm.withSigverify(true)
      if (!(result instanceof FailedTransactionMetadata))
        return { error: null, computeUnits: result.meta().computeUnitsConsumed() }
      // The library gives most errors as bare numbers, and names each in its text.
      const [, error = 'unknown'] = /\berr: (\w+)/.exec(String(result)) ?? []
      return { error, computeUnits: result.meta().computeUnitsConsumed() }
    },
    execute(sent, slot) {
      svm.warpToSlot(BigInt(slot))
      const before = snapshot(sent.accounts)
      const result = svm.sendTransaction(sent.transaction)
      const isFailed = result instanceof FailedTransactionMetadata
      // A number stands for what stops a transaction before any program runs.
      if (isFailed && typeof result.err() === 'number') return `It was refused (${String(result.err())})`
      const fee = FEE_PER_SIGNATURE * BigInt(Object.keys(sent.transaction.signatures).length)
      return { sent, error: isFailed ? 'InstructionError' : null, fee, before, after: snapshot(sent.accounts) }
    },
  }
}

function heldIn(found: ReturnType<Machine['account']>): Held | null {
  if (!found || found.owner !== TOKEN_PROGRAM || found.data.length !== TOKEN_ACCOUNT_BYTES) return null
  const view = Buffer.from(found.data)
  return {
    mint: plainBase58(found.data.subarray(0, 32)),
    owner: plainBase58(found.data.subarray(32, 64)),
    program: TOKEN_PROGRAM,
    units: view.readBigUInt64LE(64),
    decimals: DECIMALS,
  }
}

/** A mint without a mint authority (https://github.com/solana-program/token, `Mint`). */
function mintData(): Uint8Array {
  const data = Buffer.alloc(MINT_BYTES)
  data.writeBigUInt64LE(TOKENS, 36)
  data.writeUInt8(DECIMALS, 44)
  data.writeUInt8(1, 45)
  return Uint8Array.from(data)
}

/** The account of an owner with all of a token (`Account` of the same program). */
function tokenAccountData(mint: string, owner: string): Uint8Array {
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(TOKENS)
  const rest = Buffer.alloc(TOKEN_ACCOUNT_BYTES - 72)
  rest.writeUInt8(1, 36)
  return concatBytes(addressKey(mint), addressKey(owner), Uint8Array.from(amount), Uint8Array.from(rest))
}
