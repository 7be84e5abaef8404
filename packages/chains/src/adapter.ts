import type { Asset } from '@kassa/primitives/chains/assets.ts'
import type { Blockchain, Network, NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import type { RpcClient } from './node/client.ts'

/** What a family of chains can do. It speaks of transfers; a part that a family lacks is absent. */
export type ChainAdapter = {
  readonly family: ChainFamily
  readonly addresses: AddressCodec
  readonly deposits: DepositDeriver
  readonly uris: PaymentUris
  readonly reader: ChainReader
}

/** A blockchain in one network mode, with the assets that can be credited there. */
export type Chain = {
  readonly blockchain: Blockchain
  readonly mode: NetworkMode
  readonly network: Network
  readonly assets: readonly ChainAsset[]
}
export type ChainAsset = Asset & { readonly address: string }

/** One turn with one node: everything read through the same context is consistent. The caller chooses the next node. */
export type ChainSession = {
  readonly chain: Chain
  readonly node: RpcClient
  readonly signal: AbortSignal
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
   * Accepts an extended public key: text, or `{ xpub, path }` when it is not the usual account.
   * @throws InvalidInput XPUB_INVALID, XPUB_IS_PRIVATE
   */
  check(source: unknown): DepositSource
  /** Derives the address of one index (child 0/index of the source). */
  derive(chain: Chain, source: DepositSource, index: number): Address
}

export type PaymentUris = {
  /** Builds the link a wallet opens with address and exact amount filled in. */
  payment(chain: Chain, ask: { assetId: number; to: Address; units: bigint }): string
}

export type BlockRef = {
  readonly height: number
  readonly hash: string
  readonly parentHash: string
  readonly minedAt: Date
}

/** Inclusive. */
export type HeightRange = { readonly from: number; readonly to: number }

/** Which transfers to look for; with no asset at all only the blocks themselves are read. `matches` must be fast: it sees every receiver. */
export type TransferFilter = { readonly assets: ReadonlySet<number>; readonly matches: (key: AddressKey) => boolean }

/**
 * Position inside the transaction, which survives re-inclusion in another block and is the same from every node; `internal`
 * names the receiver, `balance` the height it was seen at.
 */
export type Leg = `log:${number}` | 'value' | `internal:${string}:${number}` | `balance:${number}`

/** `system-log` is the chain's own log of native transfers (EIP-7708); `balance` is a rise that nothing else explains. */
export type Evidence = 'receipts-root' | 'receipt' | 'trace' | 'system-log' | 'balance'

export type Transfer = {
  readonly kind: 'token' | 'native' | 'internal'
  readonly assetId: number
  readonly from: Address | null
  readonly to: Address
  readonly units: bigint
  readonly txId: string
  readonly leg: Leg
  readonly block: BlockRef
  readonly evidence: Evidence
}

export type BlockFacts = {
  readonly block: BlockRef
  readonly transfers: readonly Transfer[]
  /**
   * What contracts forwarded in it is not among the transfers: the node keeps no traces of this old block any more (`gone`),
   * or of none (`never`).
   */
  readonly untraced?: 'gone' | 'never'
}

/** A transaction that could not be read, with why; `concernsUs` when its raw answers name a wanted address. */
export type UnreadTransaction = { readonly txId: string; readonly error: string; readonly concernsUs: boolean }

/** What could be had of a block that does not decode as a whole. */
export type PartialBlock = BlockFacts & {
  readonly unread: readonly UnreadTransaction[]
  /** SHA-256 of the node's answer for the block, to compare nodes by. */
  readonly payloadHash: string
}

/** `dropped`: another transaction of the same sender took its place, so it can no longer be mined on this branch. */
export type TxFacts =
  | { readonly state: 'unknown' | 'pending' | 'dropped' }
  | { readonly state: 'failed'; readonly block: BlockRef }
  | {
      readonly state: 'included'
      readonly block: BlockRef
      readonly transfers: readonly Transfer[]
      /** What unknown contracts say they moved: tells a payer what they sent, and proves nothing. */
      readonly unlisted?: readonly UnlistedTransfer[]
    }

export type UnlistedTransfer = { readonly contract: Address; readonly to: Address }

export type Identity = {
  /** What the node says it is (EVM: chain id, colon, genesis hash). */
  readonly chainIdentifier: string
  readonly client: string
  readonly features: readonly NodeFeature[]
  /** False means a node of another network: never use it. */
  readonly isExpected: boolean
}

/** `block-receipts`: all receipts of a block in one call. `traces`: internal transfers. `finality`: safe and finalized tags. */
export type NodeFeature = 'block-receipts' | 'traces' | 'finality'

export type Heads = { readonly latest: BlockRef; readonly safe?: BlockRef; readonly finalized?: BlockRef }

export type BalanceAsk = { readonly assetId: number; readonly address: Address }
export type BalanceFact = BalanceAsk & { readonly units: bigint; readonly block: BlockRef }

/** What a token's contract says of itself; `decimals` is null when it says nothing that can be read. */
export type ContractFact = { readonly assetId: number; readonly hasCode: boolean; readonly decimals: number | null }

export type ChainReader = {
  identify(ctx: ChainSession): Promise<Identity>
  /** Reads the newest block and, where the chain has them, its safe and finalized ones. */
  heads(ctx: ChainSession): Promise<Heads>
  /**
   * Reads blocks and the wanted transfers in them, ascending and contiguous by parent hash from `range.from`.
   * Gives fewer blocks when the chain ends earlier or was reorganised while reading; none when `from` is not mined yet.
   */
  blocks(ctx: ChainSession, range: HeightRange, filter: TransferFilter): Promise<BlockFacts[]>
  /**
   * Reads a block that `blocks` cannot read transaction by transaction (money.md 2.7), so that one of them does not hide
   * the others; null when its height is not mined.
   */
  readPartial(ctx: ChainSession, height: number, filter: TransferFilter): Promise<PartialBlock | null>
  /** Tells what became of one transaction, with every transfer of a seeded asset in it, whoever receives it. */
  transaction(ctx: ChainSession, txId: string): Promise<TxFacts>
  /** Reads balances at one block (the newest by default), in the order asked. */
  balances(ctx: ChainSession, asks: readonly BalanceAsk[], at?: BlockRef): Promise<BalanceFact[]>
  /** Reads what the contracts of these assets say of themselves; native assets have none and are left out. */
  contracts?(ctx: ChainSession, assetIds: readonly number[]): Promise<ContractFact[]>
  /**
   * Tells how many units of a token really reached an address in one block: by how much its balance rose, plus what left
   * it by transfers of that block (W-5). Less than its deposits there say means that the token's log lies.
   * Nodes keep about 128 block states: ask soon after the block.
   * @throws RetryableRpcError, NodeRejected when the node does not keep the state of that block
   */
  receivedUnits(ctx: ChainSession, ask: BalanceAsk, block: BlockRef): Promise<bigint>
}
