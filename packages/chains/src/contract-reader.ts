/** What a token's contract states; `decimals` is null when it states none that can be read. */
export type ContractFact = { readonly assetId: number; readonly hasCode: boolean; readonly decimals: number | null }

/** The name that a contract gives itself; anybody may write anything there. Null when it states nothing readable. */
export type TokenClaim = { readonly symbol: string | null; readonly decimals: number | null }

/** What tokens state about themselves. Without this group a listed token is not compared with its contract. */
export type ContractReaderOf<Session> = {
  /**
   * Asks an unlisted contract for its name.
   * @throws RetryableRpcError when the node did not answer
   */
  claim(session: Session, contract: string): Promise<TokenClaim>
  /** Reads what the contracts of these assets state; native assets have none and are left out. */
  read(session: Session, assetIds: readonly number[]): Promise<ContractFact[]>
}
