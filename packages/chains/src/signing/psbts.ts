/** An output of a transaction, by its index there. */
export type Outpoint = { readonly txId: string; readonly vout: number }

/** An output of a deposit address that can be spent; `index` is the place of its key below the account. */
export type SpendableOutput = Outpoint & { readonly units: bigint; readonly index: number }

/** One transaction that gathers outputs of an account and pays all of it but the fee to one address. */
export type PsbtPlan<Source> = {
  readonly source: Source
  readonly inputs: readonly SpendableOutput[]
  readonly to: string
  readonly fee: bigint
}

/** What an offline signer gets: a PSBT of version 0 (BIP-174) in base64, and the id that its transaction will have. */
export type UnsignedPsbt = { readonly psbt: string; readonly txId: string }

/** Why a returned PSBT is not the one that was given out; numbers count inputs from 1. */
export type PsbtRefusal =
  | { readonly code: 'UNREADABLE' | 'OTHER_INPUTS' | 'OTHER_OUTPUT' | 'OTHER_FEE' | 'OTHER_TERMS' }
  | { readonly code: 'NOT_SIGNED' | 'OTHER_SIGHASH' | 'WRONG_SIGNATURE'; readonly input: number }

export type SignedPsbt =
  | { readonly kind: 'signed'; readonly txId: string; readonly raw: Uint8Array }
  | { readonly kind: 'refused'; readonly why: PsbtRefusal }

/** The node's answer to a broadcast; `gone`: an output that it spends does not exist, or is already spent. */
export type PsbtBroadcast =
  | 'accepted'
  | 'known'
  | { readonly code: 'gone' | 'underpriced' | 'other'; readonly reason: string }

/**
 * Transactions of coins that lie in outputs, signed outside of the server (BIP-174). Without this group a family moves its
 * money by contracts, by permissions, or not at all.
 */
export type PsbtBuilderOf<Chain, ChainSession, Source> = {
  /** The size of a transaction to an address, in virtual bytes: its fixed part, and each output that it spends. */
  sizes(
    chain: Chain,
    ends: { readonly source: Source; readonly to: string },
  ): { readonly base: bigint; readonly input: bigint }
  /** What a virtual byte costs for a transaction that may take a day, in units; rounded up. */
  feeRate(session: ChainSession): Promise<bigint>
  /** Tells which outputs are unspent, by blocks and by the mempool; in the order given. */
  unspent(session: ChainSession, outputs: readonly Outpoint[]): Promise<boolean[]>
  /** The place of the output that a transfer made, by its leg; null where it made none. */
  outputOf(leg: string): number | null
  build(chain: Chain, plan: PsbtPlan<Source>): Promise<UnsignedPsbt>
  /**
   * Takes the signatures out of what an offline signer returned, if its transaction equals the planned one byte for byte and
   * every input is signed for all of it (SIGHASH_ALL) by its own key. The transaction to broadcast is built from the plan.
   */
  check(chain: Chain, plan: PsbtPlan<Source>, psbt: string): Promise<SignedPsbt>
  /** Sends the bytes to a node. Repeating it is harmless. @throws RetryableRpcError when it is unknown whether the node took them */
  broadcast(session: ChainSession, tx: { readonly txId: string; readonly raw: Uint8Array }): Promise<PsbtBroadcast>
}
