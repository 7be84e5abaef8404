import { addressText } from '@kassa/chains/tron/addresses/addresses.ts'
import { fromHex, toHex } from '@kassa/chains/tron/encoding/hex.ts'
import type { ChainView } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import { textOf } from '@kassa/chains/testing/fake-chain/tron/answers.ts'
import { heldOnTron } from '@kassa/chains/testing/fake-chain/tron/balances.ts'
import { executeOnTron } from '@kassa/chains/testing/fake-chain/tron/execution.ts'
import type { TronContracts } from '@kassa/chains/testing/fake-chain/tron/vault.ts'
import { refersToThisBranch, type SendRefusal } from '@kassa/chains/testing/tron-node/check-transaction.ts'
import { bandwidthFee, readSent, type Sent } from '@kassa/chains/testing/tron-node/transactions.ts'
import { readSignedTransaction, transactionSigner } from '@kassa/keys/tron/transaction.ts'

import type { SignedPool } from './signed-pool.ts'

/** How a transaction is given to a node of TRON. */
export const TRON_BROADCAST = 'broadcasthex'

type Signed = { readonly sent: Sent; readonly hex: string }

/**
 * Makes a pool of a chain of TRON: transactions have no places, each is mined until its time is over, and only on a branch
 * that has the block it names.
 */
export function createTronPool(contracts: TronContracts): SignedPool {
  const waiting = new Map<string, Signed>()
  const accept = (view: ChainView, hex: string): object => {
    const signed = readHex(hex)
    const { txId } = signed.sent
    const refusal = waiting.has(txId) ? DUPLICATE : refusalOf(view, signed.sent)
    if (refusal) return { result: false, code: refusal.code, message: toHex(Buffer.from(refusal.message)) }
    waiting.set(txId, signed)
    return { result: true, txid: txId }
  }
  return {
    answer: (view, method, [asked]) => {
      const body = asked as Readonly<Record<string, unknown>>
      if (method === TRON_BROADCAST) return accept(view, String(body['transaction']))
      if (method !== 'triggerconstantcontract' || typeof body['data'] !== 'string') return undefined
      const [from, contract] = [textOf(body['owner_address']), textOf(body['contract_address'])]
      const ran = contracts.answer(view, { from, contract, data: body['data'] })
      if (!ran) return undefined
      if ('isUndone' in ran) return { ...RAN, transaction: { ret: [{ ret: 'FAILED' }] } }
      return { ...RAN, energy_used: Number(ran.energy), constant_result: [ran.returned] }
    },
    take: (view, isTaken) => {
      for (const [txId, { sent }] of waiting) if (isOver(view, sent) || isMined(view, txId)) waiting.delete(txId)
      // One of each account in a block: what one costs decides whether the next can be paid.
      const senders = new Set<string>()
      return [...waiting.values()].flatMap(({ sent, hex }) => {
        const sender = senderOf(sent)
        if (senders.has(sender) || !refersToThisBranch(sent, view) || !isNoticed(sent, isTaken)) return []
        const done = executeOnTron(view, { sent, raw: hex, contracts })
        if (!done) return []
        waiting.delete(sent.txId)
        senders.add(sender)
        return [done]
      })
    },
    putBack: ({ hash, signed }) => {
      if (signed && !waiting.has(hash)) waiting.set(hash, readHex(signed.raw))
    },
  }
}

/** The id of a transaction as a node names it, whether it kept it or not. */
export function tronIdOf(hex: string): string {
  return readHex(hex).sent.txId
}

function readHex(hex: string): Signed {
  const { raw, signatures } = readSignedTransaction(fromHex(hex))
  return { sent: readSent({ raw_data_hex: toHex(raw), signature: signatures.map(toHex) }), hex }
}

const RAN = { result: { result: true }, transaction: { ret: [{}] } } as const

const DUPLICATE: SendRefusal = { code: 'DUP_TRANSACTION_ERROR', message: 'Dup transaction.' }

/** What a node checks before it takes a transaction (`Manager.pushTransaction` of java-tron). */
function refusalOf(view: ChainView, sent: Sent): SendRefusal | null {
  if (isMined(view, sent.txId)) return DUPLICATE
  if (isOver(view, sent)) return { code: 'TRANSACTION_EXPIRATION_ERROR', message: 'Transaction expired.' }
  if (!refersToThisBranch(sent, view)) return { code: 'TAPOS_ERROR', message: 'Tapos check error.' }
  const { message } = sent.raw
  const signer = transactionSigner(sent.bytes, fromHex(sent.signatures[0] ?? ''))
  if (message.kind === 'other' || !signer || toHex(signer) !== toHex(message.from)) {
    return { code: 'SIGERROR', message: 'Validate signature error.' }
  }
  const isShort = heldOnTron(view, null, senderOf(sent)) < message.units + bandwidthFee(sent)
  return isShort
    ? { code: 'CONTRACT_VALIDATE_ERROR', message: 'Contract validate error : balance is not sufficient.' }
    : null
}

/** The block before decides whether its time is over, as nodes have it: the next one may be younger than it. */
function isOver({ blocks }: ChainView, { raw }: Sent): boolean {
  return raw.expiresAt.getTime() <= (blocks.at(-1)?.time ?? 0) * 1000
}

/** Some are left out of every block, and some of most, until their time is over or nearly so. */
function isNoticed({ txId }: Sent, isTaken: () => boolean): boolean {
  const chance = Number.parseInt(txId.slice(-2), 16) % NEGLECTED.length
  const times = NEGLECTED[chance] ?? 1
  return times !== 'never' && Array.from({ length: times }, isTaken).every(Boolean)
}

/** How often in a row a block must be willing to take a transaction. */
const NEGLECTED = ['never', 8, 8, 1, 1, 1, 1, 1] as const

function isMined({ blocks }: ChainView, txId: string): boolean {
  return blocks.some(({ transactions }) => transactions.some(({ hash }) => hash === txId))
}

function senderOf({ raw: { message } }: Sent): string {
  return message.kind === 'other' ? '' : addressText(message.from)
}
