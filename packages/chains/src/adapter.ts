import type { Asset } from '@kassa/primitives/chains/assets.ts'
import type { Blockchain, Network, NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import type { AddressListsOf } from './address-lists.ts'
import type { ContractReaderOf } from './contract-reader.ts'
import type { HoldingsReaderOf } from './holdings.ts'
import type { MempoolReaderOf, WaitingTransactionOf } from './mempool.ts'
import type { NodeClient } from './node/client.ts'
import type { PermissionsOf } from './permissions.ts'
import type { PsbtBuilderOf } from './signing/psbts.ts'
import type { SendIntent } from './send-intent.ts'
import type { SweepVaultsOf } from './sweep-vaults.ts'
import type { WalletDraftsOf } from './signing/wallet-drafts.ts'

/**
 * What a family of chains can do. It knows transfers, never payments. Required members exist in every family; an optional group
 * is absent where the family has no such thing, so callers check for it.
 */
export type ChainAdapter = {
  readonly family: ChainFamily
  readonly addresses: AddressCodec
  readonly transactions: TransactionIds
  readonly deposits?: DepositDeriver
  readonly lists?: AddressLists
  readonly uris: PaymentUris
  readonly reader: ChainReader
  readonly mempool?: MempoolReader
  readonly balances?: BalanceReader
  readonly holdings?: HoldingsReader
  readonly received?: ReceivedReader
  readonly partial?: PartialReader
  readonly traces?: TraceReader
  readonly contracts?: ContractReader
  readonly sender?: ChainSender
  readonly privateKeys?: PrivateKeyCodec
  readonly vaults?: SweepVaults
  readonly permissions?: Permissions
  readonly drafts?: WalletDrafts
  readonly psbts?: PsbtBuilderOf<Chain, ChainSession, DepositSource>
}

/** A blockchain in one network mode, with the assets that can be credited there. */
export type Chain = {
  readonly blockchain: Blockchain
  readonly mode: NetworkMode
  readonly network: Network
  readonly assets: readonly ChainAsset[]
}
export type ChainAsset = Asset & { readonly address: string }

/** One poll's view of a chain through one node: everything read through one session is consistent. */
export type ChainSession = {
  readonly chain: Chain
  readonly node: NodeClient
  readonly signal: AbortSignal
  /** Opens a node of another operator than those that led to this session; null when none is usable now. */
  readonly another: () => Promise<ChainSession | null>
}

/** An address in its family's canonical spelling (EVM: EIP-55). */
export type Address = string
/** The bytes of an address that are matched and stored (EVM: 20). */
export type AddressKey = Uint8Array

export type AddressCodec = {
  /** Reads an address strictly: checksum, network, length. @throws InvalidInput ADDRESS_INVALID with the reason */
  parse(chain: Chain, text: string): Address
  format(chain: Chain, key: AddressKey): Address
  key(chain: Chain, address: Address): AddressKey
  /**
   * Reads any spelling that a wallet prints into the family's spelling, without checking a checksum.
   * @throws InvalidInput ADDRESS_INVALID
   */
  normalize(chain: Chain, text: string): Address
}

/** The id of a transaction in the spelling of the family's nodes. */
export type TxId = string
export type TransactionIds = {
  /** Reads any spelling of a transaction's id into that of the nodes; null for other text. */
  normalizeId(text: string): TxId | null
}

/** An extended public key that passed `check`; `path` is its path in the wallet. */
export type DepositSource = {
  readonly kind: 'xpub'
  readonly xpub: string
  readonly path: string
  /** BIP-32 fingerprint of this key, 8 hex digits. */
  readonly fingerprint: string
}

export type DepositDeriver = {
  /**
   * Accepts an extended public key for a network mode: text, or `{ xpub, path }` when it is not the usual account.
   * @throws InvalidInput XPUB_INVALID, XPUB_IS_PRIVATE
   */
  check(source: unknown, mode: NetworkMode): DepositSource
  /** Derives the address of one index (child 0/index of the source). */
  derive(chain: Chain, source: DepositSource, index: number): Address
}

/** Keys that the server holds. A family without this group has no hot wallets. */
export type PrivateKeyCodec = {
  /** Makes a key from the system's randomness; the caller overwrites it after use. */
  generate(): Uint8Array
  /** Reads a key as wallets print it. @throws InvalidInput PRIVATE_KEY_INVALID with the reason, which never repeats the text */
  parse(text: string): Uint8Array
  /** The address that the key signs for. */
  address(chain: Chain, key: Uint8Array): Address
}

export type PaymentUris = {
  /** Builds the link a wallet opens with address and exact amount filled in. */
  payment(chain: Chain, ask: { assetId: number; to: Address; units: bigint }): string
}

/**
 * A block and its position. It follows ours when its `parentHash` is ours and it is higher; families may skip heights.
 */
export type BlockRef = {
  readonly height: number
  readonly hash: string
  readonly parentHash: string
  readonly minedAt: Date
}

/** Inclusive. */
export type HeightRange = { readonly from: number; readonly to: number }

/**
 * Which transfers to look for; without assets, only the blocks themselves are read. `matches` is called with receivers and
 * senders; it must be fast, because it sees every receiver. `keys` lists what matches, where that is possible: a family may
 * then read what all of them hold instead of every transaction of a long range.
 */
export type TransferFilter = {
  readonly assets: ReadonlySet<number>
  readonly matches: (key: AddressKey) => boolean
  readonly keys?: () => Iterable<AddressKey>
  /** Also report what unlisted contracts say they moved, where that costs no further call of the node. */
  readonly unlisted?: boolean
}

/**
 * Identifies a transfer within its transaction. It stays the same when another block includes the transaction, and from every
 * node. The adapter makes it; everybody else stores it as text and only compares it.
 */
export type Leg = string & { readonly __leg: unique symbol }

/**
 * `system-log`: the chain's own log (EIP-7708); `balance`: a rise that nothing else explains; `merkle-root`: proved by its
 * block; `delta`: what an account held after a transaction minus what it held before, as its block says.
 */
export type Evidence = 'receipts-root' | 'receipt' | 'trace' | 'system-log' | 'balance' | 'merkle-root' | 'delta'

export type Transfer = {
  readonly kind: 'token' | 'native' | 'internal' | 'delta'
  readonly assetId: number
  /** The senders, the most important first; empty where none is known. */
  readonly senders: readonly Address[]
  /** Empty where several outputs share the amount that left an address, so that its receiver is not known (BTC). */
  readonly to: Address
  readonly units: bigint
  /** The part of `units` that the network took, where the moved coins pay the fee (BTC). */
  readonly fee?: bigint
  /** It also comes from addresses of ours, whatever `senders` names, so it is no deposit (W-12). */
  readonly isFromUs?: true
  readonly txId: TxId
  readonly leg: Leg
  readonly block: BlockRef
  readonly evidence: Evidence
  /** The least confirmations after which it counts, where it cannot be spent before (new coins of a block). */
  readonly minConfirmations?: number
}

/**
 * Whether the transfers of a block include what contracts forwarded in it. If not, the node keeps no traces of this old block
 * any more (`pruned`), or of any block (`unsupported`).
 */
export type InternalTransfers = 'complete' | 'pruned' | 'unsupported'
export type BlockFacts = {
  readonly block: BlockRef
  readonly transfers: readonly Transfer[]
  /** Notices about unlisted tokens, limited in number; absent unless the filter asks for them. */
  readonly unlisted?: readonly UnlistedTransfer[]
  readonly internalTransfers: InternalTransfers
}

/** A transaction that could not be read, and why; `concernsUs` when its raw answers name a wanted address. */
export type UnreadTransaction = { readonly txId: TxId; readonly error: string; readonly concernsUs: boolean }

/** What could be read of a block that does not decode completely. */
export type PartialBlock = BlockFacts & {
  readonly unread: readonly UnreadTransaction[]
  /** SHA-256 of the node's answer for the block, to compare nodes by. */
  readonly payloadHash: string
}

/** `replaced` by another transaction of the same sender, or `expired`: it can no longer be mined on this branch. */
export type TxFacts =
  | { readonly state: 'unknown' | 'pending' | 'replaced' | 'expired' }
  | { readonly state: 'failed'; readonly block: BlockRef }
  | {
      readonly state: 'included'
      readonly block: BlockRef
      readonly transfers: readonly Transfer[]
      /** What unlisted contracts say they moved: it tells a payer what they sent, and proves nothing. */
      readonly unlisted?: readonly UnlistedMove[]
    }
export type UnlistedMove = { readonly contract: Address; readonly to: Address }

/** What an unlisted contract says it moved to an address of ours: a notice, never evidence of money. */
export type UnlistedTransfer = UnlistedMove & {
  /** In units of a token whose decimals are not verified. */
  readonly units: bigint
  readonly txId: TxId
  readonly leg: Leg
  readonly block: BlockRef
}
export type Identity = {
  /** What the node says it is (EVM: chain id, colon, genesis hash). */
  readonly chainIdentifier: string
  readonly client: string
  /** The share of its family's optional features that the node offers, from 0 to 1. */
  readonly completeness: number
  /** False for a node of another network, which must not be used. */
  readonly isExpected: boolean
}
export type Heads = { readonly latest: BlockRef; readonly safe?: BlockRef; readonly finalized?: BlockRef }

/** What following a chain needs. */
export type ChainReader = {
  /** Blocks may skip heights. */
  readonly leavesHeightsOut?: true
  identify(session: ChainSession): Promise<Identity>
  /** Reads the newest block and, where the chain has them, its safe and finalized ones. */
  heads(session: ChainSession): Promise<Heads>
  /** What the newest block proves that the node does not show. */
  shortcoming?(session: ChainSession): Promise<'internal_transfers' | null>
  /**
   * Reads blocks and the wanted transfers in them, ascending and linked by parent hash, from `range.from`. Returns fewer blocks
   * when the chain ends earlier or was reorganised meanwhile; none when `from` is not mined yet. Where a chain skips heights
   * and the range has no block, it returns the first one above.
   */
  blocks(session: ChainSession, range: HeightRange, filter: TransferFilter): Promise<BlockFacts[]>
  /** Returns the state of one transaction and every transfer of a listed asset in it, to any receiver. */
  transaction(session: ChainSession, txId: TxId): Promise<TxFacts>
}

/** A transfer that is in no block yet. */
export type WaitingTransfer = Omit<Transfer, 'block'>
export type WaitingTransaction = WaitingTransactionOf<WaitingTransfer>
export type MempoolReader = MempoolReaderOf<ChainSession, TransferFilter, WaitingTransfer>

export type BalanceAsk = { readonly assetId: number; readonly address: Address }
export type BalanceFact = BalanceAsk & { readonly units: bigint; readonly block: BlockRef }
export type HoldingsReader = HoldingsReaderOf<ChainSession, BalanceAsk>

/** The balances of addresses. Without it no deposit is found by a balance, and the ledger is not compared with the chain. */
export type BalanceReader = {
  /** Reads balances at one block (the newest by default), in the order given. */
  read(session: ChainSession, asks: readonly BalanceAsk[], at?: BlockRef): Promise<BalanceFact[]>
  /** Reads by how much a balance rose in one block; negative where it fell. */
  rise(session: ChainSession, ask: BalanceAsk, block: BlockRef): Promise<bigint>
  /** Makes the transfer that represents a rise up to a block which no transaction explains. */
  transferOf(chain: Chain, rise: BalanceFact): Transfer
}

/** What an address really received. Without this group a token's log is trusted. */
export type ReceivedReader = {
  /**
   * Returns how many units of a token an address really received in one block: the rise of its balance plus what transfers of
   * that block took from it (W-5). If that is less than its deposits there, the token's log lies. Nodes keep about 128 block
   * states, so ask soon after the block.
   * @throws RetryableRpcError, NodeRejected when the node does not keep the state of that block
   */
  units(session: ChainSession, ask: BalanceAsk, block: BlockRef): Promise<bigint>
}

/** Blocks that do not decode completely. Without this group, reading waits at such a block until a node's answer decodes. */
export type PartialReader = {
  /**
   * Reads a block transaction by transaction that `ChainReader.blocks` cannot read (money.md 2.7), so that one of them does not
   * hide the others; null when its height is not mined.
   */
  read(session: ChainSession, height: number, filter: TransferFilter): Promise<PartialBlock | null>
}

/** Internal transfers, which only traces show. A family without this group has none. */
export type TraceReader = {
  /** Whether the node traces calls; a node that does not can neither confirm nor deny an internal transfer. */
  isTracing(session: ChainSession): Promise<boolean>
}

/** What tokens say of themselves. Without it a listed token is not compared with its contract. */
export type ContractReader = ContractReaderOf<ChainSession>

/** A transaction before its signature. The caller chooses the sequence; the adapter reads the rest from `body`. */
export type UnsignedTx = {
  readonly from: Address
  /** Its place among the transactions of its sender (EVM: the nonce); null in families that have none. */
  readonly sequence: bigint | null
  /** It can only be mined until then; null where it never expires. */
  readonly validUntil: Date | null
  /** The most it can cost besides what it moves, in units of the native coin; `expectedFee` of its plan: at present prices. */
  readonly maxFee: bigint
  /** The adapter's own data, as JSON: everybody else only stores it. */
  readonly body: Readonly<Record<string, string | null>>
}

/** A signed transaction; anyone who has its bytes can broadcast them. */
export type SignedTx = { readonly txId: TxId; readonly raw: Uint8Array }

/** Why a transaction was not planned; nothing was signed. Units are of the native coin, except for `short_of_asset`. */
export type PlanRefusal =
  /** The chain would revert it, or the token would move nothing; `reason` is the node's or the contract's message. */
  | { readonly code: 'would_fail'; readonly reason: string }
  /** The receiver is a contract that would burn more gas than a plain transfer may use. */
  | { readonly code: 'gas_above_cap'; readonly gas: bigint; readonly cap: bigint }
  | { readonly code: 'fee_above_ceiling'; readonly needed: bigint }
  | { readonly code: 'short_of_asset'; readonly needed: bigint; readonly held: bigint }
  | { readonly code: 'short_of_coin'; readonly needed: bigint; readonly held: bigint }

export type Planned =
  | { readonly kind: 'planned'; readonly tx: UnsignedTx; readonly height: number; readonly expectedFee: bigint }
  | { readonly kind: 'refused'; readonly why: PlanRefusal }

/** The next sequence of an address: after the transactions in blocks (`mined`), and including waiting ones (`pending`). */
export type Sequences = { readonly mined: bigint; readonly pending: bigint }

/** Why a node rejected a transaction. No rejection proves that it cannot be mined. */
export type BroadcastRefusal = {
  readonly code: 'sequence_used' | 'underpriced' | 'short_of_coin' | 'expired' | 'other'
  readonly reason: string
}

/** The facts by which a node is asked about a send: all its attempts, of which at most one can ever be mined. */
export type SentFacts = {
  readonly from: Address
  readonly sequence: bigint | null
  /** Newest first. */
  readonly attempts: readonly {
    readonly txId: TxId
    readonly validUntil: Date | null
    readonly body: UnsignedTx['body']
  }[]
  /** No block below this one holds an attempt. */
  readonly sinceHeight: number
}

/**
 * Proof that no attempt can be mined any more. EVM: another transaction that the same key signed has the sequence, and is in a
 * final block. TRON: a final block is younger than the expiry of every attempt, and no node that was asked has one in a block.
 */
export type Impossible =
  | { readonly kind: 'replaced'; readonly txId: TxId; readonly block: BlockRef }
  | { readonly kind: 'expired'; readonly block: BlockRef }

export type Outcome =
  | {
      readonly state: 'mined'
      /** An attempt; or a transaction that is not known here and moves the same, with its bytes in `raw`. */
      readonly tx: SignedTx | { readonly txId: TxId }
      readonly block: BlockRef
      /** Null when the transaction succeeded. */
      readonly failure: 'reverted' | 'no_transfer' | null
      /** Its total cost, in units of the native coin. */
      readonly fee: bigint
      readonly evidence: Evidence
    }
  | { readonly state: 'pending' | 'unknown' }
  | { readonly state: 'impossible'; readonly proof: Impossible }

/** Sending. A family without this group has hot wallets that pay nothing out. */
export type ChainSender = {
  /**
   * Plans a transaction and simulates it, so that one that would fail is refused before anything is signed.
   * @throws NodeRejected by a node of another network, RetryableRpcError
   */
  plan(
    session: ChainSession,
    ask: { readonly from: Address; readonly intent: SendIntent; readonly maxFee: bigint },
  ): Promise<Planned>
  /** Reads the next sequence of an address. Absent in families without sequences. */
  sequences?(session: ChainSession, from: Address): Promise<Sequences>
  /** Signs with the private key of the sender; the only step that gets a key, which the caller overwrites. */
  sign(chain: Chain, tx: UnsignedTx, key: Uint8Array): SignedTx
  /** Gives a node the bytes. Harmless to repeat. @throws RetryableRpcError when it is unknown whether the node took them */
  broadcast(session: ChainSession, tx: SignedTx): Promise<'accepted' | 'known' | BroadcastRefusal>
  /** Returns what became of a send. It is `impossible` only with proof; a node that does not know it proves nothing. */
  outcome(session: ChainSession, sent: SentFacts): Promise<Outcome>
  /** Plans the same again under the same sequence, with a fee at which nodes replace it; absent where nothing is replaced. */
  bump?(session: ChainSession, last: UnsignedTx, maxFee: bigint): Promise<Planned>
}
/** Contracts that gather what deposit addresses hold; without them, a family moves that money by signatures only. */
export type SweepVaults = SweepVaultsOf<Chain, ChainSession>
export type Permissions = PermissionsOf<Chain, ChainSession>
/** Drafts for other people's wallets to sign; families whose wallets build and broadcast themselves have none. */
export type WalletDrafts = WalletDraftsOf<Chain, ChainSession, BroadcastRefusal>
export type AddressLists = AddressListsOf<Chain>
