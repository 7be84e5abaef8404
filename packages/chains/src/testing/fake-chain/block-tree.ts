import { type FakeBlock, seal as sealEvm, type Seal } from './sealing.ts'
import type { FakeTransaction, Hex } from './transactions.ts'

/** What a node shows of a chain: one branch of the tree, from block 0 up. */
export type ChainView = {
  readonly chainId: number
  readonly blocks: readonly FakeBlock[]
  /** The newest block it calls final, or null for a chain without that signal. */
  readonly finalizedHeight: number | null
}

/** A chain that exists in memory: every block ever mined, and which branch holds now. */
export type FakeChain = {
  readonly chainId: number
  /** Every block that was ever mined, by hash. */
  readonly tree: ReadonlyMap<Hex, FakeBlock>
  readonly head: () => FakeBlock
  readonly view: () => ChainView
  /** Mines one block on the branch that holds. */
  readonly mine: (time: number, transactions: readonly FakeTransaction[]) => FakeBlock
  /** Leaves the newest `depth` blocks for a new branch; returns what was in them, oldest first. */
  readonly leave: (depth: number) => readonly FakeBlock[]
  readonly finalize: (height: number) => void
  /**
   * Seals blocks on the branch that holds, `depth` blocks below its head, and shows them as a node would that follows them:
   * it calls nothing final that is on its own branch alone.
   */
  readonly fork: (depth: number, blocks: readonly Content[]) => ChainView
}

type Content = { readonly time: number; readonly transactions: readonly FakeTransaction[] }

export type ChainOptions = {
  readonly chainId: number
  /** The hash of block 0, which proves the network, and its bytes; otherwise it is as sealed. */
  readonly genesisHash?: Hex
  readonly genesisBytes?: Uint8Array
  /** Seconds since 1970 of block 0. */
  readonly startTime: number
  readonly hasFinality: boolean
  /** How its family makes blocks; otherwise as Ethereum does. */
  readonly seal?: Seal
}

/** Starts a chain with nothing but block 0. */
export function createFakeChain({
  chainId,
  genesisHash,
  genesisBytes,
  startTime,
  hasFinality,
  seal = sealEvm,
}: ChainOptions): FakeChain {
  const sealed = seal({
    parent: { height: -1, hash: `0x${'0'.repeat(64)}` },
    time: startTime,
    transactions: [],
    salt: String(chainId),
  })
  const genesis = { ...sealed, hash: genesisHash ?? sealed.hash, ...(genesisBytes && { bytes: genesisBytes }) }
  const tree = new Map<Hex, FakeBlock>([[genesis.hash, genesis]])
  let blocks: readonly FakeBlock[] = [genesis]
  let finalized = 0
  let branch = 0
  const head = () => blocks.at(-1) ?? genesis
  const view = (shown: readonly FakeBlock[]): ChainView => ({
    chainId,
    blocks: shown,
    finalizedHeight: hasFinality ? finalized : null,
  })
  return {
    chainId,
    tree,
    head,
    view: () => view(blocks),
    mine: (time, transactions) => {
      const block = seal({ parent: head(), time, transactions, salt: `${chainId} ${branch}` })
      tree.set(block.hash, block)
      blocks = [...blocks, block]
      return block
    },
    leave: (depth) => {
      branch += 1
      const left = blocks.slice(Math.max(1, blocks.length - depth))
      blocks = blocks.slice(0, blocks.length - left.length)
      return left
    },
    fork: (depth, contents) => {
      branch += 1
      const shown = blocks.slice(0, Math.max(1, blocks.length - depth))
      const branchPoint = shown.at(-1)?.height ?? 0
      for (const { time, transactions } of contents) {
        const parent = shown.at(-1) ?? genesis
        const block = seal({
          parent,
          time: Math.max(time, parent.time + 1),
          transactions,
          salt: `${chainId} ${branch}`,
        })
        tree.set(block.hash, block)
        shown.push(block)
      }
      return { ...view(shown), finalizedHeight: hasFinality ? Math.min(finalized, branchPoint) : null }
    },
    finalize: (height) => {
      finalized = Math.max(finalized, Math.min(height, head().height))
    },
  }
}
