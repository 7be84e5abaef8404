import { accountOf, checksumAddress } from '@kassa/keys/address-text.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'

import type { Chain, SendIntent, SignedTx, UnsignedTx } from '../../adapter.ts'
import { fromHex, keccak, toHex, toQuantity } from '../encoding/hex.ts'
import { encodeRlp, type Rlp, rlpBytes, rlpQuantity } from '../encoding/rlp.ts'

/** What a transaction of type 2 (EIP-1559) says beside sender, nonce and chain. */
export type EvmBody = {
  /** Null makes a contract. */
  readonly to: string | null
  readonly value: bigint
  readonly data: string
  readonly gas: bigint
  /** Most wei for one gas: to the producer, and in all. */
  readonly tip: bigint
  readonly feeCap: bigint
  /** What the chain may take for its first layer beside that. */
  readonly layerFee: bigint
}

/** The call of a contract, or the transfer of the coin, that an intent stands for. */
export type EvmCall = Pick<EvmBody, 'to' | 'value' | 'data'>

/** First four bytes of keccak256("transfer(address,uint256)") (ERC-20). */
export const TRANSFER = '0xa9059cbb'

/** EIP-2718 type of EIP-1559 transactions. */
const TYPE = 2

/** Turns an intent into a call. @throws RangeError for an asset that is not listed on the chain */
export function callOf(chain: Chain, intent: SendIntent): EvmCall {
  if (intent.kind === 'call') return { to: intent.to, value: intent.units, data: intent.data }
  const asset = chain.assets.find(({ id }) => id === intent.assetId)
  if (!asset) throw new RangeError(`Asset ${intent.assetId} is not on ${chain.blockchain.code}`)
  if (asset.standard === 'native') return { to: intent.to, value: intent.units, data: '0x' }
  const word = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')
  return { to: asset.address, value: 0n, data: `${TRANSFER}${word(intent.to)}${word(intent.units.toString(16))}` }
}

/** Whether a token says that it moved something: ERC-20 tokens answer true, and some of the oldest nothing at all. */
export function isTrueOrNothing(answer: string): boolean {
  return answer === '0x' || (answer.length === 66 && BigInt(answer) === 1n)
}

/** Reads a call as the transfer of a token; null when it is anything else. */
export function tokenTransferOf({ to, value, data }: EvmCall): { token: string; to: string; units: bigint } | null {
  const match = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/i.exec(data)
  if (!match || to === null || value !== 0n) return null
  return { token: to.toLowerCase(), to: `0x${match[1]?.toLowerCase()}`, units: BigInt(`0x${match[2]}`) }
}

/** Writes a body as JSON can hold it. */
export function packBody({ to, data, value, gas, tip, feeCap, layerFee }: EvmBody): UnsignedTx['body'] {
  return {
    ...{ to, data, value: toQuantity(value), gas: toQuantity(gas) },
    ...{ tip: toQuantity(tip), feeCap: toQuantity(feeCap), layerFee: toQuantity(layerFee) },
  }
}

/** Reads a body that `packBody` wrote. @throws Error when a part is missing */
export function readBody(body: UnsignedTx['body']): EvmBody {
  const text = (name: string) => {
    const value = body[name]
    if (typeof value !== 'string') throw new Error(`A stored transaction has no ${name}`)
    return value
  }
  const of = (name: string) => BigInt(text(name))
  return {
    to: body['to'] ?? null,
    data: text('data'),
    value: of('value'),
    gas: of('gas'),
    tip: of('tip'),
    feeCap: of('feeCap'),
    layerFee: of('layerFee'),
  }
}

/** The most that a transaction can cost beside its value. */
export function maxFeeOf({ gas, feeCap, layerFee }: Pick<EvmBody, 'gas' | 'feeCap' | 'layerFee'>): bigint {
  return gas * feeCap + layerFee
}

/**
 * Signs a transaction (EIP-1559) with a nonce that only this chain takes (EIP-155); the signature has the low s of EIP-2.
 * @throws Error when the key is not the sender's
 */
export function signTransaction(chain: Chain, tx: UnsignedTx, key: Uint8Array): SignedTx {
  const { chainId } = chain.network
  if (chainId === undefined || tx.sequence === null) throw new Error('An EVM transaction has a chain id and a nonce')
  if (checksumAddress(accountOf(secp256k1.getPublicKey(key))) !== tx.from)
    throw new Error(`This is no key of ${tx.from}`)
  const fields = fieldsOf(chainId, tx.sequence, readBody(tx.body))
  const digest = keccak(typed(fields))
  const [parity = 0, ...signature] = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
  const number = (from: number) => rlpQuantity(BigInt(toHex(Uint8Array.from(signature.slice(from, from + 32)))))
  const raw = typed([...fields, rlpQuantity(parity), number(0), number(32)])
  return { txId: toHex(keccak(raw)), raw }
}

/** The bytes of a transaction with a signature as long as any: what a first layer is paid for. */
export function longestBytes(chain: Chain, body: EvmBody): Uint8Array {
  const signature = [rlpQuantity(1n), new Uint8Array(32).fill(255), new Uint8Array(32).fill(255)]
  return typed([...fieldsOf(chain.network.chainId ?? 0, 2n ** 24n, body), ...signature])
}

function fieldsOf(chainId: number, nonce: bigint, { to, value, data, gas, tip, feeCap }: EvmBody): Rlp[] {
  const quantities = [BigInt(chainId), nonce, tip, feeCap, gas].map(rlpQuantity)
  return [...quantities, to === null ? new Uint8Array() : fromHex(to), rlpQuantity(value), rlpBytes(data), []]
}

function typed(fields: readonly Rlp[]): Uint8Array {
  return Buffer.concat([Uint8Array.of(TYPE), encodeRlp(fields)])
}
