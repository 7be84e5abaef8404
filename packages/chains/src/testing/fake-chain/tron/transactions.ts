import { transactionId, writeRawTransaction } from '@kassa/keys/tron/transaction.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

import { addressKey } from '../../../tron/addresses/addresses.ts'
import { TRANSFER_TOPIC } from '../../../tron/blocks/transfers.ts'
import { fromHex, toHex } from '../../../tron/encoding/hex.ts'
import { PLAIN } from '../plain.ts'
import type { FakeCall, FakeLog, FakeTransaction, TrueMove } from '../transactions.ts'

/** Addresses and contracts as people write them. */
type Sent = { readonly name: string; readonly from: string; readonly to: string; readonly units: bigint }
export type TokenSent = Sent & { readonly token: string }

/** `transfer` of TRC-20, and what any other contract is called by. */
const TRANSFER_SELECTOR = 'a9059cbb'
const OTHER_SELECTOR = '0badc0de'

/** When the wallets of these worlds make transactions, and until when one may be mined. */
const CREATED_AT = new Date('2026-01-05T09:00:00Z')
const EXPIRES_AT = new Date('2030-01-01T00:00:00Z')
const FEE_LIMIT = 100_000_000n

/** A contract that passes on what it gets, and a token that is listed nowhere. */
const ROUTER = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'
const NOISE_TOKEN = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'

/** TRX, sent by the message itself. */
export function sendTrx({ name, from, to, units }: Sent): FakeTransaction {
  const message = { kind: 'transfer', from: addressKey(from), to: addressKey(to), units } as const
  return { ...written(name, from, to, message), moves: [{ leg: 'value', token: null, from, to, units }] }
}

/** A token of TRC-20, behind `before` logs of other contracts. */
export function sendTrc20({ token, before = 0, ...sent }: TokenSent & { readonly before?: number }): FakeTransaction {
  const { from, to, units } = sent
  const noise = Array.from({ length: before }, () => transferLog({ ...sent, token: NOISE_TOKEN }))
  const moves = units > 0n ? [{ leg: `log:${before}`, token, from, to, units }] : []
  return { ...called(sent, token), logs: [...noise, transferLog({ ...sent, token })], moves }
}

/** Several transfers of tokens in one transaction, as exchanges pay out. */
export function sendTrc20Batch({ name, from, legs }: Batch): FakeTransaction {
  const logs = legs.map((leg) => transferLog({ name, from, ...leg }))
  const moves = legs.map((leg, at): TrueMove => ({ ...leg, leg: `log:${at}`, from }))
  return { ...called({ name, from, to: ROUTER, units: 0n }, ROUTER), logs, moves }
}

type Batch = {
  readonly name: string
  readonly from: string
  readonly legs: readonly { readonly token: string; readonly to: string; readonly units: bigint }[]
}

/** TRX that a contract passes on, beside calls that were undone. */
export function passOnTrx(sent: Sent): FakeTransaction {
  const { to, units } = sent
  const leg = `internal:${bare(to)}:0`
  const call = { type: 'CALL', from: `41${bare(ROUTER)}`, to: `41${bare(to)}`, value: units } as const
  const calls: FakeCall[] = [{ ...call, error: 'rejected' }, call]
  return { ...called(sent, ROUTER), calls, moves: [{ leg, token: null, from: ROUTER, to, units }] }
}

/** What looks like money and is none (money.md 2.12: T1, T2, T4, T14). */
export const TRON_FAKES = {
  failedCoin: (sent: Sent) => ({ ...sendTrx(sent), isSuccess: false, moves: [] }),
  failedToken: (sent: TokenSent) => ({ ...sendTrc20(sent), isSuccess: false, logs: [], moves: [] }),
  lookAlike: (sent: TokenSent) => ({ ...sendTrc20({ ...sent, token: NOISE_TOKEN }), moves: [] }),
  zero: (sent: TokenSent) => sendTrc20({ ...sent, units: 0n }),
  collectible: (sent: TokenSent) => {
    const log = transferLog(sent)
    return { ...sendTrc20(sent), logs: [{ ...log, topics: [...log.topics, log.data], data: '' }], moves: [] }
  },
  frames: (sent: Sent) => {
    const real = passOnTrx(sent)
    return { ...real, calls: real.calls.slice(0, 1), moves: [] }
  },
} as const satisfies Record<string, (sent: TokenSent) => FakeTransaction>

/** A call of a contract by whoever sends; which one it is of decides nothing, what it leaves does. */
function called({ name, from, to, units }: Sent, contract: string): FakeTransaction {
  const selector = contract === ROUTER ? OTHER_SELECTOR : TRANSFER_SELECTOR
  const data = fromHex(`${selector}${word(bare(to))}${word(units.toString(16))}`)
  return written(name, from, contract, {
    kind: 'call',
    from: addressKey(from),
    to: addressKey(contract),
    units: contract === ROUTER ? units : 0n,
    data,
  })
}

/** The same name is the same transaction in whatever block: it stands where a recent block is named. */
function written(
  name: string,
  from: string,
  to: string,
  message: Parameters<typeof writeRawTransaction>[0]['message'],
): FakeTransaction {
  const mark = sha256(utf8ToBytes(name))
  const refBlock = { bytes: mark.subarray(0, 2), hash: mark.subarray(2, 10) }
  const bytes = writeRawTransaction({
    message,
    refBlock,
    createdAt: CREATED_AT,
    expiresAt: EXPIRES_AT,
    feeLimit: message.kind === 'call' ? FEE_LIMIT : 0n,
  })
  return { ...PLAIN, hash: transactionId(bytes), from, to, bytes }
}

/** As nodes of TRON print it: without prefixes. */
export function transferLog({ token, from, to, units }: TokenSent): FakeLog {
  const topics = [TRANSFER_TOPIC, word(bare(from)), word(bare(to))]
  return { address: bare(token), topics, data: word(units.toString(16)) }
}

function bare(address: string): string {
  return toHex(addressKey(address))
}

/** Thirty-two bytes of hex. */
export function word(hex: string): string {
  return hex.padStart(64, '0')
}
