import { keccakText, toHex } from '../../evm/encoding/hex.ts'
import { TRANSFER_TOPIC } from '../../evm/blocks/transfers.ts'

/** Lower-case hex of an address. */
export type Hex = string

export type FakeLog = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

/** One frame of a call trace. */
export type FakeCall = {
  readonly type: 'CALL' | 'DELEGATECALL' | 'SELFDESTRUCT'
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly error?: string
}

/** Money that truly moves when the transaction is mined: what a flawless reader would credit. */
export type TrueMove = {
  readonly leg: string
  /** The token's contract, or null for the chain's own coin. */
  readonly token: Hex | null
  readonly from: Hex
  readonly to: Hex
  readonly units: bigint
}

export type FakeTransaction = {
  readonly hash: Hex
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly isSuccess: boolean
  readonly gasUsed: bigint
  readonly logs: readonly FakeLog[]
  readonly calls: readonly FakeCall[]
  readonly moves: readonly TrueMove[]
  /** As its family writes it, where nodes give out bytes. */
  readonly bytes?: Uint8Array
  /** Bitcoin: the coin of a stranger that it spends; of two that spend the same at most one is ever mined. */
  readonly coin?: string
  /** Bitcoin: the outputs of other transactions that it spends, by name. */
  readonly spends?: readonly string[]
  /** Solana: what accounts held before and after it, if it succeeds; the first pays the fee. */
  readonly balances?: readonly FakeBalance[]
  /** Of a transaction that an account signed: its bytes and, where its family has them, its place and what it paid for one unit of gas. */
  readonly signed?: { readonly raw: Hex; readonly nonce?: bigint; readonly gasPrice?: bigint }
  /** Bitcoin and TRON, of what was signed for an account: what it cost in units; TRON: how its code ended. */
  readonly fee?: bigint
  readonly result?: string
}

export type FakeBalance = {
  readonly account: string
  readonly before: bigint
  readonly after: bigint
  /** Of an account for a token: whose it is, of what, under which program, and its units. */
  readonly token?: {
    readonly owner: string
    readonly mint: string
    readonly program: string
    readonly before: bigint
    readonly after: bigint
  }
}

/** Gas of a transaction that runs no code, and of one that does. */
const PLAIN_GAS = 21_000n
const CODE_GAS = 60_000n

type Sent = { readonly name: string; readonly from: Hex; readonly to: Hex; readonly units: bigint }

const plain = { value: 0n, isSuccess: true, gasUsed: CODE_GAS, logs: [], calls: [], moves: [] } as const

/** The hash of the transaction of a name; the same name is the same transaction in whatever block. */
export function transactionHash(name: string): Hex {
  return toHex(keccakText(`transaction ${name}`))
}

/** The chain's own coin, sent at the top level. */
export function sendCoin({ name, from, to, units }: Sent): FakeTransaction {
  const moves = units > 0n ? [{ leg: 'value', token: null, from, to, units }] : []
  return { ...plain, hash: transactionHash(name), from, to, value: units, gasUsed: PLAIN_GAS, moves }
}

/** A token transfer, behind `before` logs of other contracts. */
export function sendToken({ name, from, to, units, token, before = 0 }: Sent & TokenSend): FakeTransaction {
  const noise = Array.from({ length: before }, () => transferLog(NOISE_TOKEN, from, to, units))
  const logs = [...noise, transferLog(token, from, to, units)]
  const moves = units > 0n ? [{ leg: `log:${before}`, token, from, to, units }] : []
  return { ...plain, hash: transactionHash(name), from, to: token, logs, moves }
}

type TokenSend = { readonly token: Hex; readonly before?: number }

/** Several token transfers in one transaction, as exchanges pay out. */
export function sendBatch({ name, from, legs }: BatchSend): FakeTransaction {
  const logs = legs.map(({ token, to, units }) => transferLog(token, from, to, units))
  const moves = legs.map((leg, at) => ({ ...leg, leg: `log:${at}`, from }))
  return { ...plain, hash: transactionHash(name), from, to: ROUTER, logs, moves }
}

type BatchSend = {
  readonly name: string
  readonly from: Hex
  readonly legs: readonly { readonly token: Hex; readonly to: Hex; readonly units: bigint }[]
}

/** The chain's own coin, passed on by a contract, beside frames that only look like it. */
export function sendThroughContract({ name, from, to, units }: Sent): FakeTransaction {
  const calls: FakeCall[] = [
    { type: 'DELEGATECALL', from: ROUTER, to, value: units },
    { type: 'CALL', from: ROUTER, to, value: units, error: 'execution reverted' },
    { type: 'CALL', from: ROUTER, to, value: units },
  ]
  const moves = [{ leg: `internal:${to.toLowerCase()}:0`, token: null, from: ROUTER, to, units }]
  return { ...plain, hash: transactionHash(name), from, to: ROUTER, value: units, calls, moves }
}

/** What a contract takes of several addresses for one: tokens in logs, the chain's own coin in calls. */
export function gather({ name, from, contract, token, to, parts }: Gathering): FakeTransaction {
  const logs = token === null ? [] : parts.map((part) => transferLog(token, part.from, to, part.units))
  const calls =
    token === null ? parts.map((part) => ({ type: 'CALL' as const, from: part.from, to, value: part.units })) : []
  const moves = parts.map(({ from: owner, units }, at) => {
    const leg = token === null ? `internal:${to.toLowerCase()}:${at}` : `log:${at}`
    return { leg, token, from: owner, to, units }
  })
  return { ...plain, hash: transactionHash(name), from, to: contract, logs, calls, moves }
}

type Gathering = {
  readonly name: string
  /** The payer of the transaction's fee. */
  readonly from: Hex
  readonly contract: Hex
  readonly token: Hex | null
  readonly to: Hex
  readonly parts: readonly { readonly from: Hex; readonly units: bigint }[]
}

/** A call of a contract that moves no money. */
export function callOnly({ name, from, to }: Pick<Sent, 'name' | 'from' | 'to'>): FakeTransaction {
  return { ...plain, hash: transactionHash(name), from, to }
}

/** What looks like money and is none (money.md 2.12: E1, E2, E3, E4, E6, E7, E15). */
export const FAKES = {
  failedCoin: (sent: Sent) => ({ ...sendCoin(sent), isSuccess: false, moves: [] }),
  failedToken: (sent: Sent & TokenSend) => ({ ...sendToken(sent), isSuccess: false, logs: [], moves: [] }),
  lookAlike: (sent: Sent & TokenSend) => ({
    ...sendToken({ ...sent, token: NOISE_TOKEN }),
    to: NOISE_TOKEN,
    moves: [],
  }),
  zero: (sent: Sent & TokenSend) => sendToken({ ...sent, units: 0n }),
  collectible: ({ token, ...sent }: Sent & TokenSend) => {
    const log = transferLog(token, sent.from, sent.to, sent.units)
    return {
      ...sendToken({ ...sent, token }),
      logs: [{ ...log, topics: [...log.topics, log.data], data: '0x' }],
      moves: [],
    }
  },
  frames: (sent: Sent) => {
    const real = sendThroughContract(sent)
    return { ...real, calls: real.calls.slice(0, 2), moves: [] }
  },
} as const satisfies Record<string, (sent: Sent & TokenSend) => FakeTransaction>

const NOISE_TOKEN = '0x00000000000000000000000000000000000abcde'
const ROUTER = '0x000000000000000000000000000000000000c0de'

function transferLog(token: Hex, from: Hex, to: Hex, units: bigint): FakeLog {
  return { address: token, topics: [TRANSFER_TOPIC, word(from), word(to)], data: word(`0x${units.toString(16)}`) }
}

/** Thirty-two bytes of hex. */
export function word(hex: Hex): Hex {
  return `0x${hex.slice(2).padStart(64, '0')}`
}
