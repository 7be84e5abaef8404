/** A transaction that waits to be mined; of two that spend the same coin at most one ever is. */
export type WaitingTransactionOf<Transfer> = {
  readonly txId: string
  /** Names of the coins it spends. */
  readonly spends: readonly string[]
  readonly transfers: readonly Transfer[]
}

/** What waits to be mined. Without it a payment is seen from its first block on. */
export type MempoolReaderOf<Session, Filter, Transfer> = {
  /** Lists the ids of transactions that wait, as this node knows; where it tells, the newest first. */
  list(session: Session): Promise<string[]>
  /** How many of them this node can be asked to read in one look; absent: as many as are wanted. */
  atOnce?(session: Session): Promise<number>
  /** Reads those of them that still wait, with the wanted transfers in them. */
  read(session: Session, txIds: readonly string[], filter: Filter): Promise<WaitingTransactionOf<Transfer>[]>
}
