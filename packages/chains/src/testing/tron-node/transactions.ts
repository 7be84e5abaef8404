import { fromHex } from '../../tron/encoding/hex.ts'
import { type RawTransaction, readRawTransaction, transactionId } from '@kassa/keys/tron/transaction.ts'
import type { CallOutcome, VirtualMachine } from './virtual-machine.ts'

/** A signed transaction as clients send it. */
export type SentText = { readonly raw_data_hex: string; readonly signature: readonly string[] }

/** The same, decoded. */
export type Sent = {
  readonly txId: string
  readonly bytes: Uint8Array
  readonly signatures: readonly string[]
  readonly raw: RawTransaction
}

/** A transaction in a block, with what became of it. */
export type Executed = {
  readonly sent: Sent
  readonly contractRet: CallOutcome['result']
  /** In sun, energy and bandwidth together. */
  readonly fee: bigint
  /** Null where no code ran. */
  readonly outcome: CallOutcome | null
}

/** Prices of the local chain in sun, as the main network's chain parameters name them. */
export const FEES = {
  getTransactionFee: 1_000n,
  getEnergyFee: 100n,
  getCreateAccountFee: 100_000n,
  getCreateNewAccountFeeInSystemContract: 1_000_000n,
} as const

/** Bytes that a block keeps besides those that are signed: signature, result and their tags. */
const BYTES_BESIDES = 133n

/** Decodes a transaction. @throws RangeError when its bytes are none */
export function readSent({ raw_data_hex: hex, signature }: SentText): Sent {
  const bytes = fromHex(hex)
  return { txId: transactionId(bytes), bytes, signatures: signature, raw: readRawTransaction(bytes) }
}

/** Runs a transaction that was checked: moves what it moves, and takes its fee. */
export async function executeTransaction(
  machine: VirtualMachine,
  sent: Sent,
  block: { readonly height: number; readonly minedAt: Date },
): Promise<Executed> {
  const { message, feeLimit } = sent.raw
  if (message.kind === 'other') throw new Error('The local chain knows transfers and calls')
  const bandwidth = bandwidthFee(sent)
  if (message.kind === 'transfer') {
    const fee = bandwidth + (await activationFee(machine, message.to))
    await move(machine, { ...message, fee })
    return { sent, contractRet: 'SUCCESS', fee, outcome: null }
  }
  const outcome = await machine.call({ ...message, energy: feeLimit / FEES.getEnergyFee, block })
  const fee = bandwidth + outcome.energyUsed * FEES.getEnergyFee
  const left = ((await machine.balance(message.from)) ?? 0n) - fee
  await machine.setBalance(message.from, left < 0n ? 0n : left)
  return { sent, contractRet: outcome.result, fee, outcome }
}

/** What a transaction burns for its bytes: no account of the local chain has bandwidth of its own. */
export function bandwidthFee({ bytes }: Pick<Sent, 'bytes'>): bigint {
  return (BigInt(bytes.length) + BYTES_BESIDES) * FEES.getTransactionFee
}

/** What a transfer of TRX costs besides, because its receiver was never activated. */
export async function activationFee(machine: VirtualMachine, to: Uint8Array): Promise<bigint> {
  const isKnown = (await machine.balance(to)) !== null
  return isKnown ? 0n : FEES.getCreateNewAccountFeeInSystemContract + FEES.getCreateAccountFee
}

async function move(
  machine: VirtualMachine,
  { from, to, units, fee }: { from: Uint8Array; to: Uint8Array; units: bigint; fee: bigint },
): Promise<void> {
  await machine.setBalance(from, ((await machine.balance(from)) ?? 0n) - units - fee)
  await machine.setBalance(to, ((await machine.balance(to)) ?? 0n) + units)
}
