import { NodeRefusal } from '@kassa/chains/testing/fake-chain/answers.ts'
import type { ChainView } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import { priceAt } from '@kassa/chains/testing/fake-chain/bitcoin/answers.ts'
import { spendBitcoin, virtualSize } from '@kassa/chains/testing/fake-chain/bitcoin/spending.ts'
import type { FakeTransaction } from '@kassa/chains/testing/fake-chain/transactions.ts'

import type { Network } from '../../families/family.ts'
import type { SignedPool } from './signed-pool.ts'

/** How a transaction is given to a node of Bitcoin. */
export const BITCOIN_BROADCAST = 'sendrawtransaction'

type Entry = {
  readonly tx: FakeTransaction
  /** Nodes know another one with a higher fee in its place; some miners do not. */
  isReplaced: boolean
  /** Blocks that could have held it. */
  looks: number
}

/** Bitcoin Core, `src/rpc/protocol.h`. */
const [ERROR, REJECTED, KNOWN] = [-25, -26, -27]

/** Makes a pool of a chain of Bitcoin: what spends outputs of the chain, beside the transactions of strangers that wait. */
export function createBitcoinPool(network: Network, others: () => readonly FakeTransaction[]): SignedPool {
  const pool = new Map<string, Entry>()
  /** How often nodes have forgotten a transaction for want of room. */
  const evicted = new Map<string, number>()

  const waiting = (view: ChainView): FakeTransaction[] => {
    if (pool.size === 0) return []
    const around = [...minedIn(view), ...others()]
    return [...pool.values()].flatMap(({ tx, isReplaced }) => (!isReplaced && isValid(around, tx) ? [tx] : []))
  }

  const accept = (view: ChainView, hex: string): string => {
    const raw = Buffer.from(hex, 'hex')
    const mined = minedIn(view)
    const own = waiting(view)
    const made = spendBitcoin(network, raw, [...mined, ...others(), ...own])
    if (made && mined.some(({ hash }) => hash === made.hash)) refuse(KNOWN, 'Transaction outputs already in utxo set')
    if (!made || !isValid([...mined, ...others()], made)) return refuse(ERROR, 'bad-txns-inputs-missingorspent')
    if (own.some(({ hash }) => hash === made.hash)) return made.hash
    const { fee = 0n } = made
    if (fee < virtualSize(made)) refuse(REJECTED, 'min relay fee not met')
    const rivals = own.filter(({ spends = [] }) => spends.some((name) => made.spends?.includes(name)))
    const least = rivals.reduce((sum, rival) => sum + (rival.fee ?? 0n), rivals.length > 0 ? virtualSize(made) : 0n)
    if (fee < least) refuse(REJECTED, 'insufficient fee, rejecting replacement')
    for (const { hash } of rivals) Object.assign(pool.get(hash) ?? {}, { isReplaced: true })
    pool.set(made.hash, { tx: made, isReplaced: false, looks: 0 })
    return made.hash
  }

  return {
    answer: (view, method, [hex]) => (method === BITCOIN_BROADCAST ? accept(view, String(hex)) : undefined),
    waiting,
    take: (view, isTaken) => {
      if (pool.size === 0) return []
      const mined = minedIn(view)
      const around = [...mined, ...others()]
      for (const [txId, { tx }] of pool) if (!isValid(around, tx)) pool.delete(txId)
      // Those that nodes know come first: of several that spend the same, a block holds the first.
      const inOrder = [...pool.values()].toSorted((a, b) => Number(a.isReplaced) - Number(b.isReplaced))
      return inOrder.flatMap((entry) => {
        const { tx } = entry
        if (!isValid(mined, tx) || isEvicted(entry)) return []
        const isPaid = (tx.fee ?? 0n) >= virtualSize(tx) * priceAt(view)
        if (!isPaid || !isNoticed(entry, isTaken)) return []
        pool.delete(tx.hash)
        return [tx]
      })
    },
    putBack: (tx) => {
      if (!pool.has(tx.hash)) pool.set(tx.hash, { tx, isReplaced: false, looks: 0 })
    },
  }

  /** Some are forgotten before their first block, once or twice: whoever wants them mined gives them to nodes again. */
  function isEvicted(entry: Entry): boolean {
    const { tx } = entry
    const times = evicted.get(tx.hash) ?? 0
    entry.looks += 1
    if (entry.looks > 1 || times >= digitOf(tx) % 3) return false
    evicted.set(tx.hash, times + 1)
    return pool.delete(tx.hash)
  }
}

/** Whether blocks and what waits hold all that a transaction spends, and nothing of them spends it, nor is it. */
function isValid(around: readonly FakeTransaction[], { hash, spends = [] }: FakeTransaction): boolean {
  const known = new Set(around.map((tx) => tx.hash))
  const spent = new Set(around.flatMap((tx) => tx.spends ?? []))
  return !known.has(hash) && spends.every((name) => known.has(name.split(':')[0] ?? '') && !spent.has(name))
}

/** Some are left out of most blocks, as are those that were replaced. */
function isNoticed({ tx, isReplaced }: Entry, isTaken: () => boolean): boolean {
  const times = isReplaced || digitOf(tx) % 4 === 0 ? 4 : 1
  return Array.from({ length: times }, isTaken).every(Boolean)
}

function digitOf({ hash }: FakeTransaction): number {
  return Number.parseInt(hash.slice(-2), 16)
}

function minedIn({ blocks }: ChainView): FakeTransaction[] {
  return blocks.flatMap(({ transactions }) => transactions)
}

function refuse(code: number, message: string): never {
  throw new NodeRefusal(code, message)
}
