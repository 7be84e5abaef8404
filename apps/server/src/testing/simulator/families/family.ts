import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import type { ChainView, FakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import type { FakeVault } from '@kassa/chains/testing/fake-chain/vault.ts'
import type { FakeTransaction } from '@kassa/chains/testing/fake-chain/transactions.ts'

import type { SignedPool } from '../money-out/pools/signed-pool.ts'
import type { Random } from '../random.ts'

/** The networks whose assets a world may have. */
export type Network = 'sandbox' | 'testnet'

/** What somebody pays: the contract of a token, or null for the chain's own coin. */
export type Payment = {
  readonly name: string
  readonly to: string
  readonly units: bigint
  readonly token: string | null
}

/** How people pay on a chain; null where its family has nothing of the kind. */
export type Purse = {
  readonly send: (random: Random, payment: Payment) => FakeTransaction
  /** The same to another address too, in one transaction. */
  readonly batch: (payment: Payment, other: () => string) => FakeTransaction | null
  /** By a contract that passes it on. */
  readonly through: (payment: Payment) => FakeTransaction | null
  /** From outside to wallets of the program; absent where it has none. */
  readonly give?: (payment: Payment) => FakeTransaction
  /** What looks like the payment and is none. */
  readonly fake: (random: Random, payment: Payment) => FakeTransaction
  /** What spends the same coin as one that waits, and pays somebody else or nobody; absent where nothing can. */
  readonly replace?: (waiting: FakeTransaction, payment: Payment | null) => FakeTransaction
}

/** A fault of a node for a while (money.md 8.1); which of them a node can have, its family says. */
export type NodeFault =
  | ('timeout' | 'limited' | 'unavailable' | 'garbage' | 'flapping' | 'wrong chain' | 'stale' | 'fork')
  | ('missing receipts' | 'foreign receipts' | 'invented logs' | 'missing logs')
  | ('missing blocks' | 'foreign blocks' | 'changed blocks' | 'forgets what waits')
  | ('forgets' | 'skips places' | 'says it failed' | 'hides balances')
  | ('denies what was mined' | 'hurries finality')

export type SimulatedNode = {
  readonly name: string
  readonly url: string
  readonly family: Family
  /** Whether it is the first one of its chain. */
  readonly isFirst: boolean
  readonly chain: FakeChain
  /** What it was given to broadcast, as every node of its chain knows it at once. */
  readonly signed: SignedPool
  /** What it knows to wait for a block. */
  readonly waiting: () => readonly FakeTransaction[]
  fault: NodeFault | null
  /** The chain a node serves while it is stale, forked, or of another network. */
  shown: ChainView | null
}

/** One HTTP request to a node: the path below its address, and what was sent. */
export type NodeRequest = { readonly path: string; readonly body: string | null }

/** What one family of blockchains means for a world: its chains, its nodes, and how they are paid on. */
export type Family = {
  readonly name: ChainFamily
  /** Starts a chain of it at a time in seconds since 1970, with nothing but block 0. */
  readonly open: (startTime: number) => FakeChain
  /** Most blocks that it begins with. */
  readonly mostFirstBlocks: number
  readonly purse: Purse
  /** Addresses as they are compared here. */
  readonly spell: (address: string) => string
  /** What may be wrong with its nodes, and what besides where something is sent through them. */
  readonly faults: readonly NodeFault[]
  readonly sendingFaults: readonly NodeFault[]
  /** Names what is asked. */
  readonly names: (request: NodeRequest) => readonly string[]
  /** The name by which a node is given a transaction; absent where the program sends none. */
  readonly broadcast?: string
  /** Makes what keeps the transactions that accounts of the program signed, on a chain with this vault, beside what others wait for. */
  readonly openPool?: (vault: FakeVault, others: () => readonly FakeTransaction[]) => SignedPool
  readonly reply: (node: SimulatedNode, request: NodeRequest) => Response | Promise<Response>
  /** Whether what is swept pays for its own way. */
  readonly isPaidByCoins?: true
  /** The hash of block 0 on another network; absent where nodes name their network otherwise. */
  readonly strangeGenesis?: string
  /** Blocks between the newest one and the newest that can no longer be taken back; absent where that changes. */
  readonly finalBehind?: number
  /** Blocks that no reorganisation leaves once the program sends: it believes proofs from below them; absent where depth alone counts. */
  readonly provenBehind?: number
  /** How long what was signed may still be mined; absent where that never ends. */
  readonly lifeMs?: number
  /** How long what keys of deposit addresses signed may wait at most, until it is mined or no longer counts. */
  readonly permissionLifeMs?: number
  /** Heights by which a branch that only one node has may be above the others. */
  readonly ahead: number
  /** The transaction with another outcome, on another branch. */
  readonly changed: (tx: FakeTransaction) => FakeTransaction
  /** Leaves out what cannot be mined on a branch; absent where everything can. */
  readonly mineable?: (
    blocks: readonly { readonly transactions: readonly FakeTransaction[] }[],
    transactions: readonly FakeTransaction[],
  ) => FakeTransaction[]
}

/** The same transaction, which fails where it had succeeded (E19). */
export function failing(tx: FakeTransaction): FakeTransaction {
  return { ...tx, isSuccess: false, logs: [], calls: [], moves: [] }
}

/** What may be wrong with a node of any family (money.md 8.1). */
export const ANY_FAULTS = [
  'timeout',
  'limited',
  'unavailable',
  'garbage',
  'flapping',
  'wrong chain',
  'stale',
  'fork',
] as const satisfies readonly NodeFault[]
