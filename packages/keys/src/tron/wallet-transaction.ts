import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { prefixedBytes } from './address.ts'
import { type Message, readRawTransaction, transactionId } from './transaction.ts'

type Field = string | number

/** A transaction as wallets accept it: the JSON of a node, with addresses as hex (`visible` false). */
export type WalletTransaction = {
  readonly visible: false
  readonly txID: string
  readonly raw_data_hex: string
  readonly raw_data: {
    readonly contract: readonly {
      readonly type: string
      readonly parameter: { readonly type_url: string; readonly value: Readonly<Record<string, Field>> }
    }[]
    readonly ref_block_bytes: string
    readonly ref_block_hash: string
    readonly expiration: number
    readonly timestamp: number
    readonly fee_limit?: number
  }
}

/** What a wallet is asked to sign, with what it does. */
export type WalletRequest = {
  readonly transaction: WalletTransaction
  readonly message: Exclude<Message, { kind: 'other' }>
}

/**
 * Writes the bytes of a transaction as wallets accept them (https://developers.tron.network/reference/createtransaction). What
 * wallets show is read from the same bytes that they sign. @throws RangeError for bytes that are neither a transfer nor a call
 */
export function walletRequest(rawHex: string): WalletRequest {
  const raw = hexToBytes(rawHex)
  const { message, createdAt, expiresAt, feeLimit, refBlock } = readRawTransaction(raw)
  if (message.kind === 'other') throw new RangeError('A wallet is asked for transfers and calls')
  const type = message.kind === 'transfer' ? 'TransferContract' : 'TriggerSmartContract'
  const transaction = {
    visible: false,
    txID: transactionId(raw),
    raw_data_hex: rawHex,
    raw_data: {
      contract: [{ type, parameter: { type_url: `type.googleapis.com/protocol.${type}`, value: valueOf(message) } }],
      ref_block_bytes: bytesToHex(refBlock.bytes),
      ref_block_hash: bytesToHex(refBlock.hash),
      expiration: expiresAt.getTime(),
      timestamp: createdAt.getTime(),
      ...(feeLimit > 0n && { fee_limit: Number(feeLimit) }),
    },
  } as const
  return { transaction, message }
}

function valueOf(message: WalletRequest['message']): Readonly<Record<string, Field>> {
  const [from, to] = [message.from, message.to].map((key) => bytesToHex(prefixedBytes(key))) as [string, string]
  const units = Number(message.units)
  if (message.kind === 'transfer') return { owner_address: from, to_address: to, amount: units }
  const value = { owner_address: from, contract_address: to, data: bytesToHex(message.data) }
  return units === 0 ? value : { ...value, call_value: units }
}
