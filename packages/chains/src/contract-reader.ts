/** What a token's contract says of itself; `decimals` is null when it says nothing that can be read. */
export type ContractFact = { readonly assetId: number; readonly hasCode: boolean; readonly decimals: number | null }

/** What a contract calls itself, as it stands there: anybody may write anything. Null where it says nothing readable. */
export type TokenClaim = { readonly symbol: string | null; readonly decimals: number | null }

/** What tokens say of themselves. Without it a listed token is not compared with its contract. */
export type ContractReaderOf<Session> = {
  /**
   * Asks a contract that is not listed what it calls itself.
   * @throws RetryableRpcError when the node did not answer
   */
  claim(session: Session, contract: string): Promise<TokenClaim>
  /** Reads what the contracts of these assets say of themselves; native assets have none and are left out. */
  read(session: Session, assetIds: readonly number[]): Promise<ContractFact[]>
}
