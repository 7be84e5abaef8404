import type { SendIntent } from '../send-intent.ts'

/**
 * Transactions that a wallet signs which is not ours: it signs bytes and sends nothing. They are written through our nodes, because
 * a wallet of the browser has no way to a node from our pages. A family whose wallets write and send by themselves has none.
 */
export type WalletDraftsOf<Chain, ChainSession, Refusal> = {
  /** What is written for its wallets. */
  readonly kinds: ReadonlySet<SendIntent['kind']>
  /** Writes what a wallet is to sign, or says what stands against it. @throws RetryableRpcError, NodeRejected */
  draft(session: ChainSession, ask: { readonly from: string; readonly intent: SendIntent }): Promise<WalletDraft>
  /** Reads what a wallet signed; null when it is no transaction, or does something else than move an asset or call a contract. */
  read(chain: Chain, signed: WalletSignature): SignedDraft | null
  /** Gives a node what was signed; repeating it is harmless. @throws RetryableRpcError when nobody knows whether it took it */
  broadcast(session: ChainSession, tx: SignedDraft['tx']): Promise<'accepted' | 'known' | Refusal>
}

export type WalletDraft = {
  /** The bytes that are signed, as hex; null where something stands against it. */
  readonly rawData: string | null
  readonly obstacle: 'short_of_asset' | 'short_of_coin' | 'would_fail' | null
  /** What running it takes, with room; 0 where no code runs. */
  readonly gas: bigint
  /** The most that it takes of the native coin, beyond what it moves. */
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
  /** What it does, as it could have been asked for. */
  readonly intent: SendIntent
}
