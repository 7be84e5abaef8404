import { RetryableRpcError } from '../../errors.ts'
import { keccak, toHex } from './hex.ts'
import { orderedRoot } from './ordered-trie.ts'
import { encodeRlp, type Rlp, rlpBytes, rlpQuantity } from '@kassa/keys/evm/rlp.ts'
import { hexBytes, type Json, quantity, type WireHeader, type WireReceipt } from './wire.ts'

/** Receipts of these transaction types have the same four fields (EIP-658, 2930, 1559, 4844, 7702). */
const PLAIN_TYPES = new Set([0, 1, 2, 3, 4])

/**
 * Deposit transactions of the OP stack. Since its Canyon upgrade their receipts have two more fields; before it, only nodes
 * print the first of them (OP Stack specs, "Deposits").
 */
const DEPOSIT_TYPE = 0x7e
const DEPOSIT_FIELDS = ['depositNonce', 'depositReceiptVersion']

/** Header fields in the order of their hash; the second half came with later upgrades and may be absent. */
const HASHES = ['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom']
const QUANTITIES = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp']
const ENDS = ['extraData', 'mixHash', 'nonce']
const UPGRADES = [
  { name: 'baseFeePerGas', isQuantity: true },
  { name: 'withdrawalsRoot', isQuantity: false },
  { name: 'blobGasUsed', isQuantity: true },
  { name: 'excessBlobGas', isQuantity: true },
  { name: 'parentBeaconBlockRoot', isQuantity: false },
  { name: 'requestsHash', isQuantity: false },
]

/**
 * Whether the block's hash proves the receipts: header hash and receipts root are computed again (W-7), so that a node can
 * neither drop nor invent a log in a block whose hash is agreed. False when this program does not know the form of the header
 * or of a receipt, which a protocol upgrade may change.
 * @throws RetryableRpcError when the root shows that the receipts are not those of the block (E20, E21)
 */
export function areProven(block: WireHeader, receipts: readonly WireReceipt[]): boolean {
  if (headerHash(block.raw) !== block.hash) return false
  if (!receipts.every(({ raw }) => isKnown(raw))) return false
  if (receiptsRootOf(receipts) === block.receiptsRoot) return true
  // Either from a block before Canyon, or from a node that leaves the fields out: then nothing is proved.
  if (receipts.some(({ raw }) => typeOf(raw) === DEPOSIT_TYPE && !hasDepositFields(raw))) return false
  throw new RetryableRpcError('inconsistent', `The receipts of block ${block.height} do not match its receipts root`)
}

/** Computes the root of the trie of a block's receipts, in the order of its transactions. */
export function receiptsRootOf(receipts: readonly WireReceipt[]): string {
  return orderedRoot(receipts.map(encodeReceipt))
}

/** Computes a block's hash from the header fields of its JSON; null when one of Ethereum's fields is missing. */
export function headerHash(raw: Json): string | null {
  if ([...HASHES, ...QUANTITIES, ...ENDS].some((name) => raw[name] === undefined)) return null
  const upgrades = UPGRADES.filter(({ name }) => raw[name] !== undefined && raw[name] !== null)
  const fields = [
    ...HASHES.map((name) => rlpBytes(hexBytes(raw[name], name))),
    ...QUANTITIES.map((name) => rlpQuantity(quantity(raw[name], name))),
    ...ENDS.map((name) => rlpBytes(hexBytes(raw[name], name))),
    ...upgrades.map(({ name, isQuantity }) =>
      isQuantity ? rlpQuantity(quantity(raw[name], name)) : rlpBytes(hexBytes(raw[name], name)),
    ),
  ]
  return toHex(keccak(encodeRlp(fields)))
}

function encodeReceipt({ raw, isSuccess, logs }: WireReceipt): Uint8Array {
  const type = typeOf(raw)
  const body: Rlp = [
    rlpQuantity(isSuccess ? 1n : 0n),
    rlpQuantity(quantity(raw['cumulativeGasUsed'], 'cumulativeGasUsed')),
    rlpBytes(hexBytes(raw['logsBloom'], 'logsBloom')),
    logs.map(({ address, topics, data }) => [rlpBytes(address), topics.map(rlpBytes), rlpBytes(data)]),
    ...(type === DEPOSIT_TYPE && hasDepositFields(raw)
      ? DEPOSIT_FIELDS.map((name) => rlpQuantity(quantity(raw[name], name)))
      : []),
  ]
  const encoded = encodeRlp(body)
  return type === 0 ? encoded : Buffer.concat([Uint8Array.of(type), encoded])
}

function isKnown(raw: Json): boolean {
  if (!raw['status']) return false
  return typeOf(raw) === DEPOSIT_TYPE || PLAIN_TYPES.has(typeOf(raw))
}

function hasDepositFields(raw: Json): boolean {
  return DEPOSIT_FIELDS.every((name) => raw[name])
}

function typeOf(raw: Json): number {
  return Number(quantity(raw['type'] ?? '0x0', 'type'))
}
