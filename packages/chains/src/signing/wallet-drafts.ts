import type { SendIntent } from '../send-intent.ts'

/**
 * Transactions that somebody else's wallet signs: it signs bytes and broadcasts nothing. Our nodes build them, because a wallet
 * in the browser cannot reach a node from our pages. Families whose wallets build and broadcast by themselves have none.
 */
export type WalletDraftsOf<Chain, ChainSession, Refusal> = {
  /** What is written for its wallets. */
  readonly kinds: ReadonlySet<SendIntent['kind']>
  /** Builds what a wallet signs, or says what prevents it. @throws RetryableRpcError, NodeRejected */
  draft(session: ChainSession, ask: { readonly from: string; readonly intent: SendIntent }): Promise<WalletDraft>
  /**
   * Reads what a wallet signed; null when it is not a transaction, or does anything else than move an asset or call a contract.
   */
  read(chain: Chain, signed: WalletSignature): SignedDraft | null
  /**
   * Broadcasts what was signed; repeating it is harmless. @throws RetryableRpcError when it is unknown whether the node took it
   */
  broadcast(session: ChainSession, tx: SignedDraft['tx']): Promise<'accepted' | 'known' | Refusal>
}

export type WalletDraft = {
  /** The bytes to sign, as hex; null when something prevents the transaction. */
  readonly rawData: string | null
  readonly obstacle: 'short_of_asset' | 'short_of_coin' | 'would_fail' | null
  /** The limit for running it, with room; 0 where no code runs. */
  readonly gas: bigint
  /** The most that it costs in the native coin, beyond what it moves. */
  readonly fee: bigint
  /** What its sender holds of the native coin. */
  readonly held: bigint
}

export type WalletSignature = {
  /** Hex of the bytes that were signed. */
  readonly rawData: string
  /** Hex of their signature. */
  readonly signature: string
}

export type SignedDraft = {
  readonly tx: { readonly txId: string; readonly raw: Uint8Array }
  readonly from: string
  /** What it does, in the form of a request for it. */
  readonly intent: SendIntent
}
