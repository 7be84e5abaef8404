import { addressKey } from '../../../tron/addresses/addresses.ts'
import { TRANSFER_TOPIC } from '../../../tron/blocks/transfers.ts'
import { fromHex, toHex } from '../../../tron/encoding/hex.ts'
import { transactionId } from '@kassa/keys/tron/transaction.ts'
import { type Field, writeFields } from '@kassa/keys/tron/protobuf.ts'
import type { Random } from '../random.ts'

/** A transaction with its outcome, as a node prints both, and what truly reached us by it. */
export type TronFake = { readonly tx: object; readonly info: object | null; readonly owed: bigint }

export const OURS = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const PAYER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const BYSTANDER = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

const [ours, payer, bystander, usdt] = [OURS, PAYER, BYSTANDER, USDT].map(addressKey) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

/** Numbers of `protocol.Transaction.Contract.ContractType` (tronprotocol/protocol, core/Tron.proto). */
const TYPES = { create: 0n, transfer: 1n, asset: 2n, unfreeze: 12n, withdraw: 13n, call: 31n, delegate: 57n } as const

const FAILURES = ['REVERT', 'OUT_OF_ENERGY', 'OUT_OF_TIME'] as const
const HEIGHT = 1_000

/** Every class that is a transaction of TRON (money.md 2.12, T rows), forged from a seed. */
export const tronFakes: Readonly<Record<string, (random: Random) => TronFake>> = {
  T1: (random) => {
    const result = random.pick(FAILURES)
    return fake({ contract: tokenCall(), result, receipt: result, log: [transferLog(random)] })
  },
  T2: (random) => fake({ contract: tokenCall(), internal: [internal(random, { rejected: true })] }),
  T3: (random) => {
    const named = [bytes(1, Buffer.from(random.pick(['USDT', 'TRX', '1002000']))), bytes(2, prefixed(payer))]
    const fields = [...named, bytes(3, prefixed(ours)), number(4, random.units())]
    return fake({ contract: contract(TYPES.asset, fields), info: null })
  },
  T4: (random) =>
    fake({ contract: tokenCall(), log: [transferLog(random, { token: fromHex(random.hex(20).slice(2)) })] }),
  T5: (random) => {
    const fields = [bytes(1, prefixed(payer)), bytes(2, prefixed(ours)), number(3, random.units())]
    return fake({ contract: contract(TYPES.asset, fields), info: null })
  },
  T6: (random) => {
    const fields = [
      bytes(1, prefixed(payer)),
      bytes(2, prefixed(ours)),
      number(3, sunOf(random)),
      bytes(4, fromHex('00')),
    ]
    const result = random.pick(FAILURES)
    return fake({ contract: contract(TYPES.call, fields), result, receipt: result })
  },
  T9: (random) => {
    const type = random.pick([TYPES.delegate, TYPES.unfreeze, TYPES.withdraw])
    const fields = [bytes(1, prefixed(payer)), number(2, 1n), number(3, random.units()), bytes(4, prefixed(ours))]
    return fake({ contract: contract(type, fields), info: null })
  },
  T10: () => {
    const fields = [bytes(1, prefixed(payer)), bytes(2, prefixed(ours))]
    return fake({ contract: contract(TYPES.create, fields), info: null })
  },
  T11: (random) => {
    const dirty = [
      `${'0'.repeat(22)}41${toHex(ours)}`,
      `${toHex(ours)}${'0'.repeat(24)}`,
      `41${toHex(ours)}${'0'.repeat(22)}`,
    ]
    return fake({
      contract: tokenCall(),
      log: [transferLog(random, { to: random.pick(dirty as [string, ...string[]]) })],
    })
  },
  T12: (random) => {
    const units = sunOf(random)
    const fields = [bytes(1, prefixed(payer)), bytes(2, prefixed(ours)), number(3, units)]
    return fake({ contract: [...contract(TYPES.transfer, fields), number(5, 2n)], info: null, owed: units })
  },
  T13: (random) => {
    const fields = [bytes(1, prefixed(payer)), bytes(2, prefixed(bystander)), number(3, sunOf(random))]
    const memo = Buffer.from(`Paid ${random.units()} USDT to ${OURS}`)
    return fake({ contract: contract(TYPES.transfer, fields), info: null, memo })
  },
  T14: (random) => {
    const vanity = Uint8Array.from(payer)
    vanity[19] = random.below(256)
    return fake({ contract: tokenCall(), log: [transferLog(random, { units: 0n, from: vanity })] })
  },
  T15: (random) => fake({ contract: tokenCall(), internal: [internal(random, { tokenId: 1_002_000 })] }),
  T16: (random) => {
    const owed = BigInt(random.below(1_000)) + 1n
    const said = writeFields([bytes(1, prefixed(payer)), bytes(2, prefixed(ours)), number(3, sunOf(random))])
    const executed = writeFields([number(3, owed)]).subarray(1)
    const message = Uint8Array.of(...said, ...longTag(3, random.below(7) + 1), ...executed)
    return fake({ contract: contractOf(TYPES.transfer, message), info: null, owed })
  },
  T17: (random) => {
    const owed = sunOf(random)
    const message = writeFields([bytes(1, prefixed(payer)), bytes(2, prefixed(ours)), number(3, owed)])
    const place = random.below(3) + 1
    const strange = Uint8Array.from(random.pick(strangeFields(place)))
    const fields = contractOf(TYPES.transfer, Uint8Array.of(...message, ...strange))
    return fake({ contract: fields, info: null, after: strange, owed })
  },
  T18: (random) => {
    const [units, isUndone, isOwn] = [sunOf(random), random.below(2) === 0, random.below(4) === 0]
    const left = {
      ...internal(random, { rejected: isUndone }),
      note: '73756963696465',
      callValueInfo: [{ callValue: units }],
    }
    // What a contract leaves to itself is burnt.
    const entry = isOwn ? { ...left, caller_address: `41${toHex(ours)}` } : left
    return fake({ contract: tokenCall(), internal: [entry], owed: isUndone || isOwn ? 0n : units })
  },
}

/** A tag of a whole number whose bits above the 32nd say another field: the nodes of TRON drop those. */
function longTag(at: number, above: number): Uint8Array {
  return Uint8Array.of((at << 3) | 0x80, 0x80, 0x80, 0x80, above << 4)
}

/** Fields of a number in types that it does not have: 8 bytes, 4 bytes, a group with another in it, and with a length of many bytes. */
function strangeFields(at: number): [number[], ...number[][]] {
  const [opens, closes] = [(at << 3) | 3, (at << 3) | 4]
  return [
    [(at << 3) | 1, 1, 2, 3, 4, 5, 6, 7, 8],
    [(at << 3) | 5, 1, 2, 3, 4],
    [opens, 0x08, 1, opens, closes, closes],
    at === 3 ? [(at << 3) | 2, 0x81, 0x80, 0x80, 0x80, 0x10, 7] : [(at << 3) | 0, 1],
  ]
}

type Parts = {
  readonly contract: readonly Field[]
  readonly result?: string
  readonly receipt?: string
  readonly log?: readonly object[]
  readonly internal?: readonly object[]
  readonly info?: null
  readonly memo?: Uint8Array
  /** The bytes behind all fields. */
  readonly after?: Uint8Array
  readonly owed?: bigint
}

function fake({
  contract: fields,
  result = 'SUCCESS',
  receipt = 'SUCCESS',
  log,
  internal: inner,
  info,
  memo,
  after = new Uint8Array(),
  owed = 0n,
}: Parts): TronFake {
  const fieldsOfRaw = writeFields([
    number(8, 1_700_000_600_000n),
    ...(memo ? [bytes(10, memo)] : []),
    bytes(11, writeFields(fields)),
    number(14, 1_700_000_000_000n),
  ])
  const raw = Uint8Array.of(...fieldsOfRaw, ...after)
  const txId = transactionId(raw)
  const outcome = { id: txId, blockNumber: HEIGHT, receipt: { result: receipt } }
  return {
    tx: { txID: txId, raw_data_hex: toHex(raw), ret: [{ contractRet: result }] },
    info: info === null ? null : { ...outcome, ...(log && { log }), ...(inner && { internal_transactions: inner }) },
    owed,
  }
}

function contract(type: bigint, message: readonly Field[]): Field[] {
  return contractOf(type, writeFields(message))
}

function contractOf(type: bigint, message: Uint8Array): Field[] {
  const any = writeFields([bytes(1, Buffer.from('type.googleapis.com/protocol.Any')), bytes(2, message)])
  return [number(1, type), bytes(2, any)]
}

function tokenCall(): Field[] {
  return contract(TYPES.call, [bytes(1, prefixed(payer)), bytes(2, prefixed(usdt)), bytes(4, fromHex('a9059cbb'))])
}

type LogParts = { token?: Uint8Array; from?: Uint8Array; to?: string; units?: bigint }

function transferLog(
  random: Random,
  { token = usdt, from = payer, to, units = random.units() }: LogParts = {},
): object {
  const receiver = to ?? toHex(ours).padStart(64, '0')
  return {
    address: toHex(token),
    topics: [TRANSFER_TOPIC, toHex(from).padStart(64, '0'), receiver],
    data: units.toString(16).padStart(64, '0'),
  }
}

function internal(random: Random, { rejected, tokenId }: { rejected?: boolean; tokenId?: number }): object {
  return {
    caller_address: `41${toHex(usdt)}`,
    transferTo_address: `41${toHex(ours)}`,
    callValueInfo: [{ callValue: sunOf(random), ...(tokenId !== undefined && { tokenId }) }],
    note: '63616c6c',
    ...(rejected && { rejected }),
  }
}

/** Amounts of TRX have 63 bits. */
function sunOf(random: Random): bigint {
  return (random.units() % (2n ** 63n - 1n)) + 1n
}

function prefixed(key: Uint8Array): Uint8Array {
  return Uint8Array.of(0x41, ...key)
}

function bytes(at: number, value: Uint8Array): Field {
  return { number: at, value }
}

function number(at: number, value: bigint): Field {
  return { number: at, value }
}
