import type { CurrencyCode } from './currencies.ts'
import type { ChainFamily } from './families.ts'

/** Which set of networks an installation speaks to; the database remembers it. */
export type NetworkMode = 'mainnet' | 'testnet' | 'sandbox'

export type BlockchainCode = 'ETH' | 'BTC' | 'TRX' | 'BASE' | 'POLYGON' | 'SOLANA'

/** One network of a blockchain: how a node proves which chain it serves, and where people look things up. */
export type Network = {
  readonly name: string
  /** EIP-155 id (TRX: the last 4 bytes of block 0's id); absent where the family has none. */
  readonly chainId?: number
  /** Hash of block 0 as the chain prints it; absent where it is made afresh (sandbox). */
  readonly genesisHash?: string
  /** Templates with `{tx}` and `{address}`; on sandbox a path of this installation. */
  readonly explorerTransaction: string
  readonly explorerAddress: string
  /** Nodes that anybody may use without a key; none on sandbox. */
  readonly publicNodes: readonly PublicNode[]
  /** Where test coins are given away; absent for real networks, and where this install makes the coins. */
  readonly faucet?: string
}

/** A public node, limited and without guarantees: for trying out, or as the second operator beside an own node. */
export type PublicNode = { readonly operator: string; readonly url: string }

/** When a deposit is final (money rules C-1 to C-3). */
export type Confirmations = {
  readonly minimum: number
  /** Deposits of at least this many micro-dollars follow `large`; 0 means all of them. */
  readonly largeFromUsd: bigint
  /** `finalized` waits for the chain's own finality signal, a number for that depth. */
  readonly large: 'finalized' | number
  /** The deepest reorganisation that is followed without an operator's decision. */
  readonly reorgLimit: number
}

export type FeeModel = 'eip1559' | 'op-stack' | 'tron' | 'vbyte' | 'lamports'

/**
 * What sending usually costs: at most cents, up to a few dollars, or often more. A guide for choosing; no amount is computed
 * from it.
 */
export const FEE_LEVELS = ['low', 'medium', 'high'] as const

export type FeeLevel = (typeof FEE_LEVELS)[number]

/** Facts that only chains of one family have. */
export type FamilyFacts = EvmFacts | { readonly family: 'bitcoin' | 'tron' | 'solana' }

export type EvmFacts = {
  readonly family: 'evm'
  /** The receipts root covers every receipt of a block in known forms, so that it can be recomputed. */
  readonly hasReceiptsProof: boolean
  /** The sender of the chain's own log of native transfers, in lower case, where EIP-7708 is live; absent elsewhere. */
  readonly nativeTransferLog?: string
  /** Delegation of plain accounts by EIP-7702. */
  readonly supports7702: boolean
  /** Most gas one transaction may use, where the protocol caps it (EIP-7825). */
  readonly maxTxGas?: bigint
  /** The smallest priority fee in wei that producers accept. */
  readonly minTipWei?: bigint
}

/** The facts of one blockchain; a new one of a known family is a new value of this type. */
export type Blockchain = {
  readonly id: number
  readonly code: BlockchainCode
  readonly name: string
  readonly aliases: readonly string[]
  readonly family: ChainFamily
  readonly nativeCurrency: CurrencyCode
  readonly nativeDecimals: number
  readonly blockSeconds: number
  /** BIP-44 style path; `i` is the address index (SLIP-44 coin types). */
  readonly depositPath: string
  readonly feeModel: FeeModel
  readonly typicalFee: { readonly native: FeeLevel; readonly token: FeeLevel }
  readonly facts: FamilyFacts
  /** Typical wait for the chain's own finality signal, in seconds (money.md 1.4); absent where there is none. */
  readonly finalitySeconds?: number
  readonly confirmations: Confirmations
  readonly networks: Readonly<Record<NetworkMode, Network>>
  /** When the sandbox's local chain runs; `always` is for chains of the EVM family. */
  readonly inSandbox: 'always' | 'on-request'
}
