import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

import type { BlockRef, ChainSession, SentFacts, SignedTx } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callNode, jsonCall } from '../../node/client.ts'
import { refOf } from '../blocks/receipts.ts'
import { fromHex, keccak, toHex, toQuantity } from '../encoding/hex.ts'
import { hexBytes, list, object, quantity, readHeader } from '../encoding/wire.ts'
import { readHeads } from '../network/heads.ts'
import type { EvmCall } from './transaction.ts'

/** The transaction that has a nonce in a final block, signed with our key. */
export type Replacement = {
  readonly tx: SignedTx
  readonly block: BlockRef
  readonly call: EvmCall
  /** The most that it may pay for one gas. */
  readonly feeCap: bigint
}

/**
 * Finds the transaction that used a nonce, by bisecting the blocks in which it can have been used. It reads the transaction's
 * bytes, whose signature must be that of our own key, so that no node can invent one. Null while its block is not final.
 * @throws RetryableRpcError when the node does not keep enough, or contradicts itself
 */
export async function findReplacement(
  session: ChainSession,
  { from, sinceHeight }: SentFacts,
  nonce: bigint,
): Promise<Replacement | null> {
  const last = await finalHeight(session)
  if (last < sinceHeight || (await countAt(session, from, last)) <= nonce) return null
  let [low, high] = [Math.max(0, sinceHeight), last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await countAt(session, from, middle)) > nonce) high = middle
    else low = middle + 1
  }
  return readFrom(session, high, { from, nonce })
}

/** The newest block that no reorganisation can remove: by the chain's own finality, or at a depth that is never reorganised. */
async function finalHeight(session: ChainSession): Promise<number> {
  const { latest, finalized } = await readHeads(session)
  if (finalized) return finalized.height
  const { large, reorgLimit } = confirmationsIn(session.chain.mode, session.chain.blockchain)
  return latest.height - (large === 'finalized' ? reorgLimit : large) + 1
}

async function countAt(session: ChainSession, from: string, height: number): Promise<bigint> {
  const call = jsonCall('eth_getTransactionCount', from, toQuantity(height))
  return quantity(await callNode(session, call), 'nonce')
}

async function readFrom(
  session: ChainSession,
  height: number,
  { from, nonce }: { readonly from: string; readonly nonce: bigint },
): Promise<Replacement> {
  const header = readHeader(await callNode(session, jsonCall('eth_getBlockByNumber', toQuantity(height), true)))
  const found = list(header?.raw['transactions'], 'transactions')
    .map((one) => object(one, 'transaction'))
    .find(
      (one) => String(one['from']).toLowerCase() === from.toLowerCase() && quantity(one['nonce'], 'nonce') === nonce,
    )
  if (!header || !found) {
    throw inconsistent(
      session,
      `says that nonce ${nonce} of ${from} was used in block ${height}, and shows nothing there`,
    )
  }
  const hash = hexBytes(found['hash'], 'hash')
  const raw = fromHex(hexBytes(await callNode(session, jsonCall('eth_getRawTransactionByHash', hash)), 'bytes'))
  if (toHex(keccak(raw)) !== hash) throw inconsistent(session, `has other bytes for ${hash}`)
  return { tx: { txId: hash, raw }, block: refOf(header), ...(await readSigned(session, raw, { from, nonce })) }
}

/** Loaded only here: it reads every type of transaction, which no other code needs. */
async function readSigned(
  session: ChainSession,
  raw: Uint8Array,
  { from, nonce }: { readonly from: string; readonly nonce: bigint },
): Promise<Pick<Replacement, 'call' | 'feeCap'>> {
  const { parseTransaction, recoverTransactionAddress } = await import('viem')
  const serialized = toHex(raw) as Parameters<typeof recoverTransactionAddress>[0]['serializedTransaction']
  const parsed = parseTransaction(serialized)
  const signer = await recoverTransactionAddress({ serializedTransaction: serialized })
  // The same key signs on every chain of the family, so only bytes for this chain count.
  const isOurs = signer === from && parsed.chainId === session.chain.network.chainId
  if (!isOurs || BigInt(parsed.nonce ?? 0) !== nonce) {
    throw inconsistent(session, `shows bytes that ${from} did not sign for this place`)
  }
  return {
    call: { to: parsed.to ?? null, value: parsed.value ?? 0n, data: parsed.data ?? '0x' },
    feeCap: parsed.maxFeePerGas ?? parsed.gasPrice ?? 0n,
  }
}

function inconsistent({ node }: ChainSession, what: string): RetryableRpcError {
  return new RetryableRpcError('inconsistent', `${node.label} ${what}`)
}
