import type { SignedAuthorization } from '@kassa/keys/evm/authorization.ts'

/**
 * Contracts that gather what deposit addresses hold and pass it to one address, the collector. A family without this group
 * has none, and money leaves its deposit addresses by signatures only.
 */
export type SweepVaultsOf<Chain, ChainSession> = {
  /** The contracts of this release, for whoever deploys, calls or checks them. */
  released(chain: Chain): Readonly<Record<ReleasedType, ReleasedContract>>
  /**
   * The contract that creates vaults on this chain; the same for every install.
   * @throws RangeError where this release knows of none
   */
  factory(chain: Chain): string
  /** Computes the address of an owner's vault, created or not. `salt` is 32 bytes in hex. */
  vault(chain: Chain, place: { owner: string; salt: string }): string
  /** Computes a deposit address of a vault; salts count from 1. */
  deposit(chain: Chain, vault: string, salt: number): string
  /** Computes the contract that accounts delegate to which this vault may sweep (EIP-7702). */
  delegate(chain: Chain, vault: string): string
  /** Builds the call by which an owner creates their vault. */
  creation(chain: Chain, vault: { salt: string; collector: string }): ContractCall
  /** Builds a call of a vault. @throws RangeError when an item does not fit */
  call(vault: string, call: VaultCall): ContractCall
  /** Reads a call of a vault; null when it is none, or would be written otherwise. */
  decode(data: string): VaultCall | null
  /** Tells which vault a transaction created, and what stands there now; nothing is believed but the chain. */
  created(session: ChainSession, txId: string): Promise<VaultCreation>
  /** Reads who owns a vault and where its money goes. @throws NodeRejected when there is none */
  state(session: ChainSession, vault: string): Promise<VaultState>
  /** Tells whether a vault of ours stands at an address, by every byte of its code: what it filled in decides whom deposits obey. */
  isOurs(session: ChainSession, address: string): Promise<boolean>
  /**
   * Asks what a sweep would cost now, and which of its items would move nothing: each is tried by itself, because a batch
   * goes on past one that fails. `payer` is whoever would send it.
   * @throws RetryableRpcError, NodeRejected
   */
  quote(
    session: ChainSession,
    ask: { vault: string; call: SweepCall; payer: string; authorizations?: readonly SignedAuthorization[] },
  ): Promise<SweepQuote>
  /** Reads a transaction that a wallet sent, with the call that it makes and what became of it. */
  sent(session: ChainSession, txId: string): Promise<SentSweep>
  /** Hashes the code that stands at an address with what its installation filled in left empty; null without code. */
  codeHash(session: ChainSession, address: string): Promise<string | null>
}

/** As contracts are named on the wire: the vault has two names there. */
type ReleasedType = 'factory_contract' | 'fund_sweeper' | 'sweep_approval' | 'deposit_wallet'

export type ReleasedContract = {
  /** JSON. */
  readonly abi: string
  /** What creates it, in hex. */
  readonly bytecode: string
  /** Where it stands, deployed there or not; null for what every merchant has their own of. */
  readonly address: string | null
  /** Keccak-256 of the code on chain with what its installation fills in left empty. */
  readonly codeHash: string
}

/** What a wallet is asked to send; addresses are in the one spelling of their family. */
export type ContractCall = { readonly to: string; readonly data: string; readonly value: bigint }

/** Which deposit and how much of it: `id` is the salt of a deposit contract, or the number that an account's address is. */
export type VaultItem = { readonly id: bigint; readonly units: bigint }

/** An approval that its owner signed (EIP-2612). */
export type Permit = {
  readonly owner: string
  readonly value: bigint
  readonly deadline: bigint
  readonly v: number
  readonly r: string
  readonly s: string
}

type TokenSweep = 'sweepToken' | 'sweepTokenDelegated' | 'pullToken'
type NativeSweep = 'sweepNative' | 'sweepNativeDelegated'

export type VaultCall =
  | { readonly kind: TokenSweep; readonly token: string; readonly items: readonly VaultItem[] }
  | { readonly kind: NativeSweep; readonly items: readonly VaultItem[] }
  | {
      readonly kind: 'permitAndPull'
      readonly token: string
      readonly permits: readonly Permit[]
      readonly items: readonly VaultItem[]
    }
  | { readonly kind: 'permitToken'; readonly token: string; readonly permits: readonly Permit[] }
  | { readonly kind: 'deploy'; readonly salts: readonly bigint[] }
  | { readonly kind: 'proposeCollector'; readonly to: string }
  | { readonly kind: 'acceptCollector' | 'cancelCollector' | 'freezeCollector' }

/** A call that moves what addresses hold. */
export type SweepCall = Extract<VaultCall, { readonly items: readonly VaultItem[] }>

/** `refused` names items by their place; the rest is what is quoted, and no gas is quoted where nothing is left. */
export type SweepQuote = {
  /** Where the contract sends everything now. */
  readonly collector: string
  /** What the batch would use now. */
  readonly gas: bigint
  /** What it must be allowed: one item that runs out of gas fails alone, and nodes do not see that in a batch. */
  readonly gasLimit: bigint
  /** Of one gas, in units of the native coin: what the next block asks, and a tip. */
  readonly gasPrice: bigint
  /** What the chain takes beside gas. */
  readonly beside: bigint
  readonly refused: readonly { readonly index: number; readonly reason: string }[]
}

/** A transaction as its wallet sent it. `dropped`: another one of the same wallet took its place, or its time ran out. */
export type SentSweep =
  | { readonly state: 'unknown' }
  | (SentCall & { readonly state: 'pending' | 'dropped' })
  | (SentCall & {
      readonly state: 'included'
      readonly isSuccess: boolean
      readonly height: number
      readonly blockHash: string
    })

export type SentCall = {
  readonly from: string
  /** Null in families without one. */
  readonly sequence: bigint | null
  /** Null where it makes a contract. */
  readonly to: string | null
  readonly value: bigint
  readonly data: string
}

/** What a vault says of itself: `proposed` is another collector, `proposedOwner` another owner that waits for its time. */
export type VaultState = {
  readonly owner: string
  readonly collector: string
  readonly proposed: { readonly collector: string; readonly readyAt: Date } | null
  readonly proposedOwner: { readonly owner: string; readonly readyAt: Date } | null
  readonly isFrozen: boolean
}

/** `mismatch`: the transaction created no vault of our factory, or other code than ours stands there. */
export type VaultCreation =
  | { readonly state: 'unknown' | 'pending' | 'replaced' | 'expired' | 'failed' }
  | { readonly state: 'mismatch'; readonly reason: 'not-by-factory' | 'several' | 'code' }
  | {
      readonly state: 'created'
      /** Of the block that holds the transaction. */
      readonly height: number
      readonly vault: string
      readonly salt: string
      /** Whoever called the factory: with the salt, what the vault's address is made of. */
      readonly creator: string
      readonly now: VaultState
    }
