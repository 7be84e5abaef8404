/** A transaction that waits to be mined; of two that spend the same coin at most one is ever mined. */
export type WaitingTransactionOf<Transfer> = {
  readonly txId: string
  /** The ids of the coins that it spends. */
  readonly spends: readonly string[]
  readonly transfers: readonly Transfer[]
}

/** Transactions that wait to be mined. Without this group a payment is seen from its first block on. */
export type MempoolReaderOf<Session, Filter, Transfer> = {
  /** Lists the ids of waiting transactions that this node knows, the newest first where it tells. */
  list(session: Session): Promise<string[]>
  /** How many of them this node reads per call; without a limit when absent. */
  atOnce?(session: Session): Promise<number>
  /** Reads those of them that still wait, with the wanted transfers in them. */
  read(session: Session, txIds: readonly string[], filter: Filter): Promise<WaitingTransactionOf<Transfer>[]>
}
