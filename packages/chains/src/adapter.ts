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
 * What a family of chains can do. It speaks of transfers. Every family has what is required; a group that is optional is
 * absent where the family has no such thing, and whoever needs it asks whether it is there.
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

/** One poll's view of a chain through one node: everything read through the same session is consistent. */
export type ChainSession = {
  readonly chain: Chain
  readonly node: NodeClient
  readonly signal: AbortSignal
  /** Opens a node of another operator than those that led to this session; null when none can be used now. */
  readonly another: () => Promise<ChainSession | null>
}

/** An address in the one spelling its family prints (EVM: EIP-55). */
export type Address = string
/** The bytes of an address that are matched and stored (EVM: 20). */
export type AddressKey = Uint8Array

export type AddressCodec = {
  /** Reads an address strictly: checksum, network, length. @throws InvalidInput ADDRESS_INVALID with the reason */
  parse(chain: Chain, text: string): Address
  format(chain: Chain, key: AddressKey): Address
  key(chain: Chain, address: Address): AddressKey
  /**
   * Reads any spelling that a wallet prints as the one spelling of the family; without a checksum to hold it against.
   * @throws InvalidInput ADDRESS_INVALID
   */
  normalize(chain: Chain, text: string): Address
}

/** The id of a transaction in the one spelling that nodes of its family print. */
export type TxId = string
export type TransactionIds = {
  /** Reads any spelling of a transaction's id as the one nodes print; null when the text is none. */
  normalizeId(text: string): TxId | null
}

/** An extended public key that passed `check`; `path` is where it sits in the wallet. */
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

/** Keys that the server holds itself. Without it a family has no hot wallets. */
export type PrivateKeyCodec = {
  /** Makes a key from the randomness of the system; whoever gets it overwrites it after use. */
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
 * A block by its place. It follows ours when its `parentHash` is ours and its height is larger: a family whose blocks have
 * every height checks that itself, another may leave heights out.
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
 * Which transfers to look for; with no asset at all only the blocks themselves are read. `matches` is asked of receivers and
 * senders; it must be fast, because it sees every receiver. `keys` lists what matches, where that can be listed: a family may
 * then ask what all of them hold, instead of what every transaction of a long range did.
 */
export type TransferFilter = {
  readonly assets: ReadonlySet<number>
  readonly matches: (key: AddressKey) => boolean
  readonly keys?: () => Iterable<AddressKey>
  /** Also notice what contracts that are not listed say they moved, wherever that costs no further call of the node. */
  readonly unlisted?: boolean
}

/**
 * Which transfer within its transaction. It survives re-inclusion in another block and is the same from every node. The adapter
 * makes it; everybody else stores it as text, compares it whole and reads nothing out of it.
 */
export type Leg = string & { readonly __leg: unique symbol }

/**
 * `system-log`: the chain's own (EIP-7708); `balance`: a rise nothing else explains; `merkle-root`: proved by its block; `delta`:
 * what an account held after a transaction less what it held before, as its block says.
 */
export type Evidence = 'receipts-root' | 'receipt' | 'trace' | 'system-log' | 'balance' | 'merkle-root' | 'delta'

export type Transfer = {
  readonly kind: 'token' | 'native' | 'internal' | 'delta'
  readonly assetId: number
  /** Whoever it came from, the first one foremost; empty where nobody can be named. */
  readonly senders: readonly Address[]
  /** Empty where several outputs share what left an address, and nobody can say which of them got it (BTC). */
  readonly to: Address
  readonly units: bigint
  /** What of `units` the network kept, where the sender's coins pay for their own way (BTC). */
  readonly fee?: bigint
  /** It comes from addresses of ours as well, whatever `senders` names: no deposit (W-12). */
  readonly isFromUs?: true
  readonly txId: TxId
  readonly leg: Leg
  readonly block: BlockRef
  readonly evidence: Evidence
  /** It counts from this many confirmations on at the earliest, where it cannot be spent before (new coins of a block). */
  readonly minConfirmations?: number
}

/**
 * Whether what contracts forwarded in a block is among its transfers: all of it, or none, because the node keeps no traces of
 * this old block any more (`pruned`) or of no block at all (`unsupported`).
 */
export type InternalTransfers = 'complete' | 'pruned' | 'unsupported'
export type BlockFacts = {
  readonly block: BlockRef
  readonly transfers: readonly Transfer[]
  /** What was noticed of tokens that are not listed, a limited number; absent unless the filter asks for it. */
  readonly unlisted?: readonly UnlistedTransfer[]
  readonly internalTransfers: InternalTransfers
}

/** A transaction that could not be read, with why; `concernsUs` when its raw answers name a wanted address. */
export type UnreadTransaction = { readonly txId: TxId; readonly error: string; readonly concernsUs: boolean }

/** What could be had of a block that does not decode as a whole. */
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
      /** What unknown contracts say they moved: tells a payer what they sent, and proves nothing. */
      readonly unlisted?: readonly UnlistedMove[]
    }
export type UnlistedMove = { readonly contract: Address; readonly to: Address }

/** What an unknown contract says it moved to an address of ours: a notice, never evidence of money. */
export type UnlistedTransfer = UnlistedMove & {
  /** In units of a token whose decimals nobody vouches for. */
  readonly units: bigint
  readonly txId: TxId
  readonly leg: Leg
  readonly block: BlockRef
}
export type Identity = {
  /** What the node says it is (EVM: chain id, colon, genesis hash). */
  readonly chainIdentifier: string
  readonly client: string
  /** How much of what its family can offer the node offers, from 0 to 1. */
  readonly completeness: number
  /** False means a node of another network: never use it. */
  readonly isExpected: boolean
}
export type Heads = { readonly latest: BlockRef; readonly safe?: BlockRef; readonly finalized?: BlockRef }

/** What following a chain needs. */
export type ChainReader = {
  /** Blocks need not have every height. */
  readonly leavesHeightsOut?: true
  identify(session: ChainSession): Promise<Identity>
  /** Reads the newest block and, where the chain has them, its safe and finalized ones. */
  heads(session: ChainSession): Promise<Heads>
  /**
   * Reads blocks and the wanted transfers in them, ascending and contiguous by parent hash from `range.from`.
   * Gives fewer blocks when the chain ends earlier or was reorganised while reading; none when `from` is not mined yet. Where
   * heights may be left out and the range has no block, it gives the first one above.
   */
  blocks(session: ChainSession, range: HeightRange, filter: TransferFilter): Promise<BlockFacts[]>
  /** Tells what became of one transaction, with every transfer of a listed asset in it, whoever receives it. */
  transaction(session: ChainSession, txId: TxId): Promise<TxFacts>
}

/** A transfer that is in no block yet. */
export type WaitingTransfer = Omit<Transfer, 'block'>
export type WaitingTransaction = WaitingTransactionOf<WaitingTransfer>
export type MempoolReader = MempoolReaderOf<ChainSession, TransferFilter, WaitingTransfer>

export type BalanceAsk = { readonly assetId: number; readonly address: Address }
export type BalanceFact = BalanceAsk & { readonly units: bigint; readonly block: BlockRef }
export type HoldingsReader = HoldingsReaderOf<ChainSession, BalanceAsk>

/** What addresses hold. Without it nothing is found by a balance, and the ledger is not compared with the chain. */
export type BalanceReader = {
  /** Reads balances at one block (the newest by default), in the order asked. */
  read(session: ChainSession, asks: readonly BalanceAsk[], at?: BlockRef): Promise<BalanceFact[]>
  /** Reads by how much a balance rose in one block; negative where it fell. */
  rise(session: ChainSession, ask: BalanceAsk, block: BlockRef): Promise<bigint>
  /** Makes the transfer that stands for a rise up to a block which no transaction explains. */
  transferOf(chain: Chain, rise: BalanceFact): Transfer
}

/** What really reached an address. Without it a token's log is believed. */
export type ReceivedReader = {
  /**
   * Tells how many units of a token really reached an address in one block: by how much its balance rose, plus what left
   * it by transfers of that block (W-5). Less than its deposits there say means that the token's log lies.
   * Nodes keep about 128 block states: ask soon after the block.
   * @throws RetryableRpcError, NodeRejected when the node does not keep the state of that block
   */
  units(session: ChainSession, ask: BalanceAsk, block: BlockRef): Promise<bigint>
}

/** Blocks that do not decode as a whole. Without it reading waits at such a block until a node's answer decodes. */
export type PartialReader = {
  /**
   * Reads a block that `ChainReader.blocks` cannot read transaction by transaction (money.md 2.7), so that one of them does
   * not hide the others; null when its height is not mined.
   */
  read(session: ChainSession, height: number, filter: TransferFilter): Promise<PartialBlock | null>
}

/** Internal transfers, which only traces show. A family without it has none. */
export type TraceReader = {
  /** Tells whether the node traces calls at all; one that does not can neither confirm nor deny an internal transfer. */
  isTracing(session: ChainSession): Promise<boolean>
}

/** What tokens say of themselves. Without it a listed token is not compared with its contract. */
export type ContractReader = ContractReaderOf<ChainSession>

/** A transaction before its signature. Whoever signs chooses the sequence; the adapter reads the rest out of `body`. */
export type UnsignedTx = {
  readonly from: Address
  /** Its place among the transactions of its sender (EVM: the nonce); null in families that have none. */
  readonly sequence: bigint | null
  /** It can be mined until then only; null where it never lapses. */
  readonly validUntil: Date | null
  /** The most it can cost beside what it moves, in units of the native coin. */
  readonly maxFee: bigint
  /** The adapter's own, as JSON can hold it: everybody else stores it and reads nothing out of it. */
  readonly body: Readonly<Record<string, string | null>>
}

/** A transaction that any node can be given; whoever holds the bytes can broadcast them. */
export type SignedTx = { readonly txId: TxId; readonly raw: Uint8Array }

/** Why a transaction was not planned: nothing was signed. Units are of the native coin, but for `short_of_asset`. */
export type PlanRefusal =
  /** The chain would undo it, or the token would move nothing; `reason` is the node's or the contract's word. */
  | { readonly code: 'would_fail'; readonly reason: string }
  /** The receiver is a contract that would burn more gas than a plain transfer may use. */
  | { readonly code: 'gas_above_cap'; readonly gas: bigint; readonly cap: bigint }
  | { readonly code: 'fee_above_ceiling'; readonly needed: bigint }
  | { readonly code: 'short_of_asset'; readonly needed: bigint; readonly held: bigint }
  | { readonly code: 'short_of_coin'; readonly needed: bigint; readonly held: bigint }

export type Planned =
  | { readonly kind: 'planned'; readonly tx: UnsignedTx; readonly height: number }
  | { readonly kind: 'refused'; readonly why: PlanRefusal }

/** The next sequence of an address: as far as blocks hold its transactions, and with those that wait. */
export type Sequences = { readonly mined: bigint; readonly pending: bigint }

/** Why a node did not take a transaction. None of them proves that it can not be mined. */
export type BroadcastRefusal = {
  readonly code: 'sequence_used' | 'underpriced' | 'short_of_coin' | 'expired' | 'other'
  readonly reason: string
}

/** What is asked about: one send with all its attempts, of which at most one can ever be mined. */
export type SentFacts = {
  readonly from: Address
  readonly sequence: bigint | null
  /** Newest first. */
  readonly attempts: readonly {
    readonly txId: TxId
    readonly validUntil: Date | null
    readonly body: UnsignedTx['body']
  }[]
  /** No attempt is in a block below this one. */
  readonly sinceHeight: number
}

/**
 * Proof that no attempt can be mined any more. EVM: another transaction that the same key signed has the sequence, and stands
 * in a final block. TRON: a final block is younger than the time of every attempt, and no node asked has one in a block.
 */
export type Impossible =
  | { readonly kind: 'replaced'; readonly txId: TxId; readonly block: BlockRef }
  | { readonly kind: 'expired'; readonly block: BlockRef }

export type Outcome =
  | {
      readonly state: 'mined'
      /** An attempt, or one that is not known here and moves the same: its bytes are `raw`. */
      readonly tx: SignedTx | { readonly txId: TxId }
      readonly block: BlockRef
      /** Null when it did what it was for. */
      readonly failure: 'reverted' | 'no_transfer' | null
      /** What it cost in all, in units of the native coin. */
      readonly fee: bigint
      readonly evidence: Evidence
    }
  | { readonly state: 'pending' | 'unknown' }
  | { readonly state: 'impossible'; readonly proof: Impossible }

/** Sending. Without it a family's hot wallets pay nothing out. */
export type ChainSender = {
  /**
   * Plans a transaction and simulates it, so that one that would fail is refused before anything is signed.
   * @throws NodeRejected by a node of another network, RetryableRpcError
   */
  plan(
    session: ChainSession,
    ask: { readonly from: Address; readonly intent: SendIntent; readonly maxFee: bigint },
  ): Promise<Planned>
  /** Reads which sequence an address takes next. Absent in families that have none. */
  sequences?(session: ChainSession, from: Address): Promise<Sequences>
  /** Signs with the private key of the sender; the only step that meets a key, which the caller overwrites. */
  sign(chain: Chain, tx: UnsignedTx, key: Uint8Array): SignedTx
  /** Gives a node the bytes. Repeating it is harmless. @throws RetryableRpcError when nobody knows whether it took them */
  broadcast(session: ChainSession, tx: SignedTx): Promise<'accepted' | 'known' | BroadcastRefusal>
  /** Tells what became of a send. It is `impossible` only with proof; a node that does not know it proves nothing. */
  outcome(session: ChainSession, sent: SentFacts): Promise<Outcome>
  /** Plans the same again under the same sequence, at a fee that nodes take in its place; absent where nothing is replaced. */
  bump?(session: ChainSession, last: UnsignedTx, maxFee: bigint): Promise<Planned>
}
/** Contracts that gather what deposit addresses hold; a family without them moves it by signatures only. */
export type SweepVaults = SweepVaultsOf<Chain, ChainSession>
export type Permissions = PermissionsOf<Chain, ChainSession>
/** Transactions that a wallet of somebody else signs; families whose wallets send by themselves have none. */
export type WalletDrafts = WalletDraftsOf<Chain, ChainSession, BroadcastRefusal>
export type AddressLists = AddressListsOf<Chain>
