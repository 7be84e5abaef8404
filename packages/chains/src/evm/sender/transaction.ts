import { accountOf, checksumAddress } from '@kassa/keys/address-text.ts'
import type { SignedAuthorization } from '@kassa/keys/evm/authorization.ts'
import { type FeeTransaction, signedBytes, signFeeTransaction } from '@kassa/keys/evm/fee-transaction.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'

import type { Chain, SignedTx, UnsignedTx } from '../../adapter.ts'
import type { SendIntent } from '../../send-intent.ts'
import { toQuantity } from '../encoding/hex.ts'

/** The fields of a transaction besides sender, nonce and chain. */
export type EvmBody = {
  /** Null makes a contract. */
  readonly to: string | null
  readonly value: bigint
  readonly data: string
  readonly gas: bigint
  /** Most wei for one gas: to the producer, and in all. */
  readonly tip: bigint
  readonly feeCap: bigint
  /** The most that the chain may take for its first layer besides that. */
  readonly layerFee: bigint
  /** Accounts whose code it sets (EIP-7702); usually none. */
  readonly authorizations: readonly SignedAuthorization[]
}

/** The call of a contract, or the transfer of the coin, for an intent. */
export type EvmCall = Pick<EvmBody, 'to' | 'value' | 'data'>

/** First four bytes of keccak256("transfer(address,uint256)") (ERC-20). */
export const TRANSFER = '0xa9059cbb'

/** Turns an intent into a call. @throws RangeError for an asset that is not listed on the chain */
export function callOf(chain: Chain, intent: SendIntent): EvmCall {
  if (intent.kind === 'call') return { to: intent.to, value: intent.units, data: intent.data }
  const asset = chain.assets.find(({ id }) => id === intent.assetId)
  if (!asset) throw new RangeError(`Asset ${intent.assetId} is not on ${chain.blockchain.code}`)
  if (asset.standard === 'native') return { to: intent.to, value: intent.units, data: '0x' }
  const word = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')
  return { to: asset.address, value: 0n, data: `${TRANSFER}${word(intent.to)}${word(intent.units.toString(16))}` }
}

/** Whether a token reports success: ERC-20 tokens return true, and some of the oldest nothing at all. */
export function isTrueOrNothing(answer: string): boolean {
  return answer === '0x' || (answer.length === 66 && BigInt(answer) === 1n)
}

/** Reads a call as the transfer of a token; null when it is anything else. */
export function tokenTransferOf({ to, value, data }: EvmCall): { token: string; to: string; units: bigint } | null {
  const match = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/i.exec(data)
  if (!match || to === null || value !== 0n) return null
  return { token: to.toLowerCase(), to: `0x${match[1]?.toLowerCase()}`, units: BigInt(`0x${match[2]}`) }
}

/** Writes a body as JSON. */
export function packBody({ to, data, value, gas, tip, feeCap, layerFee, authorizations }: EvmBody): UnsignedTx['body'] {
  return {
    ...{ to, data, value: toQuantity(value), gas: toQuantity(gas) },
    ...{ tip: toQuantity(tip), feeCap: toQuantity(feeCap), layerFee: toQuantity(layerFee) },
    ...(authorizations.length > 0 && { authorizations: JSON.stringify(authorizations.map(wireAuthorization)) }),
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
    authorizations: readAuthorizations(body['authorizations']),
  }
}

type WireAuthorization = Readonly<Record<keyof SignedAuthorization, string>>

/** An authorization as nodes take it, and as JSON holds it. */
export function wireAuthorization({ chainId, address, nonce, yParity, r, s }: SignedAuthorization): WireAuthorization {
  const quantities = { chainId: toQuantity(chainId), nonce: toQuantity(nonce), yParity: toQuantity(yParity) }
  return { ...quantities, address, r: toQuantity(r), s: toQuantity(s) }
}

function readAuthorizations(text: string | null | undefined): SignedAuthorization[] {
  if (!text) return []
  return (JSON.parse(text) as WireAuthorization[]).map(({ chainId, address, nonce, yParity, r, s }) => ({
    ...{ chainId: BigInt(chainId), address, nonce: BigInt(nonce) },
    ...{ yParity: Number(yParity), r: BigInt(r), s: BigInt(s) },
  }))
}

/** The most that a transaction can cost beside its value. */
export function maxFeeOf({ gas, feeCap, layerFee }: Pick<EvmBody, 'gas' | 'feeCap' | 'layerFee'>): bigint {
  return gas * feeCap + layerFee
}

/**
 * Signs a transaction (EIP-1559, or EIP-7702 where accounts get code) with a nonce that only this chain takes (EIP-155).
 * @throws Error when the key is not the sender's
 */
export function signTransaction(chain: Chain, tx: UnsignedTx, key: Uint8Array): SignedTx {
  if (tx.sequence === null) throw new Error('An EVM transaction has a nonce')
  if (checksumAddress(accountOf(secp256k1.getPublicKey(key))) !== tx.from)
    throw new Error(`This is no key of ${tx.from}`)
  return signFeeTransaction(transactionOf(chain, tx.sequence, readBody(tx.body)), key)
}

/** The transaction's bytes with a signature of the maximum length, for which a first layer charges. */
export function longestBytes(chain: Chain, body: EvmBody): Uint8Array {
  const longest = 2n ** 256n - 1n
  return signedBytes(transactionOf(chain, 2n ** 24n, body), { yParity: 1, r: longest, s: longest })
}

function transactionOf({ network }: Chain, nonce: bigint, body: EvmBody): FeeTransaction {
  if (network.chainId === undefined) throw new Error('An EVM chain has an id')
  const { to, value, data, gas, tip, feeCap, authorizations } = body
  const list = authorizations.length > 0 ? authorizations : undefined
  return { chainId: BigInt(network.chainId), nonce, to, value, data, gas, tip, feeCap, authorizations: list }
}
