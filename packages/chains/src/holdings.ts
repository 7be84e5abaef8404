/**
 * What addresses hold now, where nodes keep no older balances: the ledger is then compared at the newest final block, and an
 * address is left out while anything moves there.
 */
export type HoldingsReaderOf<Session, Ask> = {
  /**
   * Reads units in the order asked, as of the newest final block, or the newest one where `ChainReader.heads` names no final
   * one; which that is may change while it is read.
   */
  read(session: Session, asks: readonly Ask[]): Promise<bigint[]>
}
