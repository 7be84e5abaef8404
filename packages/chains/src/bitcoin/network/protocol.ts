import type { ChainSession } from '../../adapter.ts'
import type { Outpoint } from '../../signing/psbts.ts'

/**
 * What a node of Bitcoin is asked, whichever interface it has. Ids prove the bytes of an answer, so a node is trusted only
 * about which blocks are on its branch.
 */
export type Protocol = {
  /** Its program, and the share of the features used here that it offers, from 0 to 1. */
  about(session: ChainSession): Promise<{ readonly client: string; readonly completeness: number }>
  /** The hash of the block at a height; null above the newest. */
  hashAt(session: ChainSession, height: number): Promise<string | null>
  newestHash(session: ChainSession): Promise<string>
  heightOf(session: ChainSession, hash: string): Promise<number>
  header(session: ChainSession, hash: string): Promise<Buffer>
  block(session: ChainSession, hash: string): Promise<Buffer>
  /** Transactions in the order asked; null where the node has none of that id. */
  transactions(session: ChainSession, txIds: readonly string[]): Promise<(Buffer | null)[]>
  /** A transaction and the block that holds it (null while it waits); null when it is neither mined nor waiting. */
  find(session: ChainSession, txId: string): Promise<FoundTransaction | null>
  /** The ids of transactions that wait. */
  waiting(session: ChainSession): Promise<string[]>
  /** How many of those to read in one pass; absent where it does not matter. */
  readonly waitingAtOnce?: number
  /** Units per virtual byte to be mined within this many blocks; null where the node has seen too little to say. */
  feeRate(session: ChainSession, withinBlocks: number): Promise<number | null>
  /** Which outputs exist and are unspent, in blocks or among waiting transactions; in the order given. */
  unspent(session: ChainSession, outputs: readonly Outpoint[]): Promise<boolean[]>
  /** Broadcasts a transaction and returns its id. @throws NodeRejected with the words of Bitcoin Core */
  send(session: ChainSession, hex: string): Promise<string>
}

type FoundTransaction = { readonly bytes: Buffer; readonly blockHash: string | null }
