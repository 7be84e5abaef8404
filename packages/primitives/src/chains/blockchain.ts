import type { CurrencyCode } from './currencies.ts'
import type { ChainFamily } from './families.ts'

/** Which set of networks an installation speaks to; the database remembers it. */
export type NetworkMode = 'mainnet' | 'testnet' | 'sandbox'

export type BlockchainCode = 'ETH' | 'BTC' | 'TRX' | 'BASE' | 'POLYGON' | 'SOLANA'

/** One network of a blockchain: how a node of it proves which chain it serves, and where people look things up. */
export type Network = {
  readonly name: string
  /** EIP-155 id (TRX: the last 4 bytes of block 0's id); absent where the family has none. */
  readonly chainId?: number
  /** Hash of block 0 as the chain prints it; absent where it is made afresh (sandbox). */
  readonly genesisHash?: string
  /** Templates with `{tx}` and `{address}`; on sandbox a path of this installation. */
  readonly explorerTransaction: string
  readonly explorerAddress: string
  /** Nodes that anybody may ask without a key; none on sandbox. */
  readonly publicNodes: readonly PublicNode[]
  /** Where test coins are given away; absent where coins are money, or made by this installation. */
  readonly faucet?: string
}

/** Limited, and promised by nobody: for trying out, or as the second operator that a node of one's own is held against. */
export type PublicNode = { readonly operator: string; readonly url: string }

/** When a deposit is final (money rules C-1 to C-3). */
export type Confirmations = {
  readonly minimum: number
  /** Deposits of at least this many micro-dollars follow `large`; 0 means all of them. */
  readonly largeFromUsd: bigint
  /** `finalized` waits for the chain's own finality signal, a number for that depth. */
  readonly large: 'finalized' | number
  /** Deepest reorganisation followed without a person. */
  readonly reorgLimit: number
}

export type FeeModel = 'eip1559' | 'op-stack' | 'tron' | 'vbyte' | 'lamports'

/** What sending costs as a rule: cents at most, up to a few dollars, or often more. A guide for choosing, never counted with. */
export const FEE_LEVELS = ['low', 'medium', 'high'] as const

export type FeeLevel = (typeof FEE_LEVELS)[number]

/** What only chains of one family have. */
export type FamilyFacts = EvmFacts | { readonly family: 'bitcoin' | 'tron' | 'solana' }

export type EvmFacts = {
  readonly family: 'evm'
  /** The receipts root covers every receipt of a block, in forms that are known, so that it can be computed again. */
  readonly hasReceiptsProof: boolean
  /** Sender of the chain's own log of every native transfer, lower case, where EIP-7708 is live; absent elsewhere. */
  readonly nativeTransferLog?: string
  /** Delegation of plain accounts by EIP-7702. */
  readonly supports7702: boolean
  /** Most gas one transaction may use, where the protocol caps it (EIP-7825). */
  readonly maxTxGas?: bigint
  /** Least priority fee in wei that producers accept. */
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
  /** When the local chain of the sandbox runs. */
  readonly inSandbox: 'always' | 'on-request'
}
