import {
  answer,
  COIN_GAS,
  heldBy,
  NodeRefusal,
  TOKEN_GAS,
  transferOf,
} from '@kassa/chains/testing/fake-chain/answers.ts'
import type { ChainView } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import type { FakeContracts } from '@kassa/chains/testing/fake-chain/vault.ts'
import { BASE_FEE } from '@kassa/chains/testing/fake-chain/sealing.ts'
import { type FakeTransaction, sendCoin, sendToken } from '@kassa/chains/testing/fake-chain/transactions.ts'
import { type FeeTransaction, readFeeTransaction } from '@kassa/keys/evm/fee-transaction.ts'

type Signed = FeeTransaction & { readonly from: string; readonly txId: string; readonly raw: string }

/** The transactions of accounts that no block of a chain holds, which nodes take, show and give to miners. */
export type SignedPool = {
  /** Answers a call that is about them; undefined where it is not. @throws NodeRefusal */
  readonly answer: (view: ChainView, method: string, params: readonly unknown[]) => unknown
  /** What nodes know to wait for a block, where they are asked what does. */
  readonly waiting?: (view: ChainView) => readonly FakeTransaction[]
  /** The next transaction of each account as it comes out in the next block, of those that `isTaken`. */
  readonly take: (view: ChainView, isTaken: () => boolean) => FakeTransaction[]
  /** Waits again: a reorganisation left its block. */
  readonly putBack: (tx: FakeTransaction) => void
}

/** Of a chain on which the program sends nothing. */
export const NOTHING_SIGNED: SignedPool = { answer: () => undefined, take: () => [], putBack: () => undefined }

/** Nobody's: what is paid for gas goes there. */
const BURNT = '0x000000000000000000000000000000000000dead'

type Rules = {
  /** What stands at addresses that are called. */
  readonly contracts: FakeContracts
  /** Which transactions of an account fail, by their place. */
  readonly isDoomed: (nonce: bigint) => boolean
}

/** Makes a pool. */
export function createSignedPool({ contracts, isDoomed }: Rules): SignedPool {
  const waiting = new Map<string, Signed>()
  const placeOf = ({ from, nonce }: Pick<Signed, 'from' | 'nonce'>) => `${from} ${nonce}`

  const accept = (view: ChainView, hex: string): string => {
    const read = readFeeTransaction(Buffer.from(hex.slice(2), 'hex'))
    if (!read || read.chainId !== BigInt(view.chainId)) throw new NodeRefusal(-32000, 'invalid sender')
    const tx = { ...read, from: read.from.toLowerCase(), raw: hex }
    if (tx.nonce < mined(view, tx.from)) throw new NodeRefusal(-32000, 'nonce too low')
    const other = waiting.get(placeOf(tx))
    if (other?.txId === tx.txId) throw new NodeRefusal(-32000, 'already known')
    if (other && (tx.tip * 10n < other.tip * 11n || tx.feeCap * 10n < other.feeCap * 11n)) {
      throw new NodeRefusal(-32000, 'replacement transaction underpriced')
    }
    waiting.set(placeOf(tx), tx)
    return tx.txId
  }

  const pending = (view: ChainView, address: string): bigint => {
    let next = mined(view, address)
    while (waiting.has(placeOf({ from: address.toLowerCase(), nonce: next }))) next += 1n
    return next
  }

  return {
    answer: (view, method, params) => {
      if (method === 'eth_sendRawTransaction') return accept(view, String(params[0]))
      if (method === 'eth_getTransactionCount' && params[1] === 'pending') {
        return `0x${pending(view, String(params[0])).toString(16)}`
      }
      const known = method === 'eth_getTransactionByHash' && [...waiting.values()].find((tx) => tx.txId === params[0])
      if (known && answer(view, { method, params }) === null) return { hash: known.txId, blockHash: null }
      return contracts.answer(view, { method, params })
    },
    take: (view, isTaken) => {
      const due = [...waiting.values()].filter((tx) => tx.nonce === mined(view, tx.from))
      for (const tx of waiting.values()) if (tx.nonce < mined(view, tx.from)) waiting.delete(placeOf(tx))
      return due.flatMap((tx) => {
        if (!isTaken()) return []
        const done = execute(view, tx, { contracts, isDoomed: isDoomed(tx.nonce) })
        if (done) waiting.delete(placeOf(tx))
        return done ? [done] : []
      })
    },
    putBack: ({ signed }) => {
      const read = signed && readFeeTransaction(Buffer.from(signed.raw.slice(2), 'hex'))
      if (!read) return
      const tx = { ...read, from: read.from.toLowerCase(), raw: signed.raw }
      if (!waiting.has(placeOf(tx))) waiting.set(placeOf(tx), tx)
    },
  }
}

function mined(view: ChainView, address: string): bigint {
  return BigInt(String(answer(view, { method: 'eth_getTransactionCount', params: [address, 'latest'] })))
}

type Doing = { readonly contracts: FakeContracts; readonly isDoomed: boolean }

/** What a transaction becomes in the next block; null while its account cannot pay for it. */
function execute(view: ChainView, tx: Signed, { contracts, isDoomed }: Doing): FakeTransaction | null {
  const { to } = tx
  if (to === null) return null
  const { made, isShort } = effectOf(view, { ...tx, to }, contracts)
  const { gasUsed } = made
  const gasPrice = tx.feeCap < BASE_FEE + tx.tip ? tx.feeCap : BASE_FEE + tx.tip
  const fee = gasUsed * gasPrice
  if (heldBy(view, null, tx.from) < tx.value + fee) return null
  const paid = { leg: 'gas', token: null, from: tx.from, to: BURNT, units: fee }
  const own = { hash: tx.txId, signed: { nonce: tx.nonce, raw: tx.raw, gasPrice } }
  if (isDoomed || isShort) return { ...made, ...own, isSuccess: false, logs: [], calls: [], moves: [paid] }
  return { ...made, ...own, moves: [...made.moves, paid] }
}

type Effect = { readonly made: FakeTransaction; readonly isShort: boolean }

function effectOf(view: ChainView, tx: Signed & { readonly to: string }, contracts: FakeContracts): Effect {
  const called = contracts.effect(view, tx)
  if (called) return { made: called, isShort: false }
  const transfer = transferOf(tx.data)
  const sent = { name: tx.txId, from: tx.from }
  const token = tx.to.toLowerCase()
  if (!transfer)
    return { made: { ...sendCoin({ ...sent, to: token, units: tx.value }), gasUsed: COIN_GAS }, isShort: false }
  const made = { ...sendToken({ ...sent, to: transfer.to, units: transfer.units, token }), gasUsed: TOKEN_GAS }
  return { made, isShort: heldBy(view, token, tx.from) < transfer.units }
}
