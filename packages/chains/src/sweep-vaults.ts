import type { SignedAuthorization } from '@kassa/keys/evm/authorization.ts'

/**
 * Contracts that gather what deposit addresses hold and pass it to one address, the collector. A family without this group
 * has none, and money leaves its deposit addresses by signatures only.
 */
export type SweepVaultsOf<Chain, ChainSession> = {
  /** The contracts of this release, for everybody who deploys, calls or checks them. */
  released(chain: Chain): Readonly<Record<ReleasedType, ReleasedContract>>
  /**
   * The contract that creates vaults on this chain; the same for every install.
   * @throws RangeError when this release knows none
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
  /** Reads a call of a vault; null when it is not one, or is encoded differently than Kassa would. */
  decode(data: string): VaultCall | null
  /** Returns which vault a transaction created, and its state now; everything is read from the chain. */
  created(session: ChainSession, txId: string): Promise<VaultCreation>
  /** Reads who owns a vault and where its money goes. @throws NodeRejected when there is none */
  state(session: ChainSession, vault: string): Promise<VaultState>
  /**
   * Returns whether our vault stands at an address, by comparing all of its code, including the values that decide who controls
   * deposits.
   */
  isOurs(session: ChainSession, address: string): Promise<boolean>
  /**
   * Returns the current cost of a sweep, and which of its items would move nothing: each item is simulated alone, because a
   * batch continues after an item that fails. `payer` is the sender.
   * @throws RetryableRpcError, NodeRejected
   */
  quote(
    session: ChainSession,
    ask: { vault: string; call: SweepCall; payer: string; authorizations?: readonly SignedAuthorization[] },
  ): Promise<SweepQuote>
  /** Reads a transaction that a wallet sent, with its call and its outcome. */
  sent(session: ChainSession, txId: string): Promise<SentSweep>
  /** Hashes the code at an address, without the values of its installation; null without code. */
  codeHash(session: ChainSession, address: string): Promise<string | null>
}

/** The names of contracts in the API; the vault has two names there. */
type ReleasedType = 'factory_contract' | 'fund_sweeper' | 'sweep_approval' | 'deposit_wallet'

export type ReleasedContract = {
  /** JSON. */
  readonly abi: string
  /** The bytecode that creates it, in hex. */
  readonly bytecode: string
  /** Its address, whether it is deployed there or not; null for a contract that every merchant has their own of. */
  readonly address: string | null
  /** Keccak-256 of the code on chain, without the values of its installation. */
  readonly codeHash: string
}

/** What a wallet is asked to send; addresses are in the canonical spelling of their family. */
export type ContractCall = { readonly to: string; readonly data: string; readonly value: bigint }

/** A deposit and an amount of it: `id` is the salt of a deposit contract, or the address of an account as a number. */
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

/** `refused` names items by their index; the rest is quoted. No gas is quoted when no item is left. */
export type SweepQuote = {
  /** The current collector of the contract. */
  readonly collector: string
  /** The gas of the batch now. */
  readonly gas: bigint
  /** The gas limit: one item that runs out of gas fails alone, and nodes do not see that in a batch. */
  readonly gasLimit: bigint
  /** The price of one gas, in units of the native coin: the price of the next block, and a tip. */
  readonly gasPrice: bigint
  /** What the chain charges besides gas. */
  readonly beside: bigint
  readonly refused: readonly { readonly index: number; readonly reason: string }[]
}

/** A transaction as its wallet sent it. `dropped`: another one of the same wallet replaced it, or it expired. */
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
  /** Null when it creates a contract. */
  readonly to: string | null
  readonly value: bigint
  readonly data: string
}

/** What a vault states: `proposed` is a new collector and `proposedOwner` a new owner, each before it takes effect. */
export type VaultState = {
  readonly owner: string
  readonly collector: string
  readonly proposed: { readonly collector: string; readonly readyAt: Date } | null
  readonly proposedOwner: { readonly owner: string; readonly readyAt: Date } | null
  readonly isFrozen: boolean
}

/** `mismatch`: the transaction created no vault of our factory, or other code than ours is there. */
export type VaultCreation =
  | { readonly state: 'unknown' | 'pending' | 'replaced' | 'expired' | 'failed' }
  | { readonly state: 'mismatch'; readonly reason: 'not-by-factory' | 'several' | 'code' }
  | {
      readonly state: 'created'
      /** The time of the block that contains the transaction. */
      readonly height: number
      readonly vault: string
      readonly salt: string
      /** The caller of the factory: the vault's address depends on it and on the salt. */
      readonly creator: string
      readonly now: VaultState
    }
