import type { PlanRefusal, UnsignedTx } from '@kassa/chains/adapter.ts'
import type { SendIntent } from '@kassa/chains/send-intent.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import type { SendPurpose } from '@kassa/contract/sends/machine.ts'
import { ASSETS } from '@kassa/primitives/chains/assets.ts'

import { type Context, inTransaction } from '../../../context.ts'
import type { BlockchainRow } from '../../blockchains/chains/service.ts'
import { openSession } from '../../blockchains/nodes/service.ts'
import { Overdrawn, post } from '../../ledger/service.ts'
import { isSpentOutside } from '../../movements/service.ts'
import { amountEntries, ceilingEntry } from '../record/postings.ts'
import { MOST_IN_FLIGHT, nextSequence, type SequenceChoice } from '../record/rules.ts'
import type { Send, SendItem } from '../record/send.ts'
import { insertAttempt, insertSend, lockSigner, type NewSend, readSigner } from '../record/store.ts'
import { lockWallet } from '../record/wallet-locks.ts'
import { findSigner, type Signer, withKey } from './hot-key.ts'
import { intendAttempt } from './intend.ts'
import { clearLowWallet, noteLowWallet } from './low-wallet.ts'
import { type SeenSequences, sequencesOf } from './sequences.ts'

export type StartSend = {
  readonly walletId: number
  readonly blockchainId: number
  readonly purpose: SendPurpose
  /** Whose network fee it is; null for the install. */
  readonly projectId: number | null
  readonly intent: SendIntent
  /** The most that the fee may be, in units of the native coin; reserved in full. */
  readonly maxFee: bigint
  readonly item: SendItem
  /** Moves the business row in the transaction that writes the send; false, and nothing is written. */
  readonly within: (tx: Context, started: StartedSend) => Promise<boolean>
}

/** A send whose bytes are stored. */
export type StartedSend = {
  readonly sendId: bigint
  readonly txId: string
  readonly from: string
  readonly feeCeiling: bigint
}

/** Why nothing is signed now; the same may be asked again later. Units are of the native coin, but for `short_of_asset`. */
export type SendWait =
  /** Kassa cannot send on this family of chains, or the wallet has no key there or is switched off. */
  | { readonly code: 'no_sender' | 'no_wallet' }
  | { readonly code: 'chain_down'; readonly reason: string }
  | { readonly code: 'vault_locked' }
  /** An operator must look at the wallet first: its key was used elsewhere. */
  | { readonly code: 'wallet_locked' }
  /** As many transactions wait as nodes keep of one account, or others of this key do. */
  | { readonly code: 'busy' }
  | Extract<PlanRefusal, { code: 'fee_above_ceiling' | 'short_of_asset' | 'short_of_coin' }>
  /** The coins are there, but not booked as float yet, or reserved for other sends. */
  | { readonly code: 'float_short_of_asset' | 'float_short_of_coin' }

export type StartResult =
  | { readonly kind: 'started'; readonly send: StartedSend }
  | { readonly kind: 'waits'; readonly why: SendWait }
  /** It would fail on the chain: asking again changes nothing. */
  | { readonly kind: 'refused'; readonly why: Extract<PlanRefusal, { code: 'would_fail' | 'gas_above_cap' }> }
  /** `within` said no. */
  | { readonly kind: 'declined' }

type PlannedOnChain = {
  readonly kind: 'planned'
  readonly tx: UnsignedTx
  readonly height: number
  readonly chain: SeenSequences | null
}

/**
 * Plans a transaction through nodes, then signs it and stores bytes, reserve and the moved business row in one transaction
 * (money.md 7.3). Nothing is broadcast here: the loop of the role `sender` does, from the committed row. Harmless to repeat:
 * a business row is in one send only (D-1).
 * @throws the database's error when the business row is in a send already
 */
export async function startSend(ctx: Context, input: StartSend): Promise<StartResult> {
  if (ctx.db.isTransaction) throw new Error('A send asks nodes: start it outside of transactions')
  const signer = await findSigner(ctx, input)
  if (signer === 'no_sender' || signer === 'no_wallet') return waits({ code: signer })
  if (signer.key.status !== 'active') return waits({ code: 'no_wallet' })
  const planned = await planOnChain(ctx, signer, input)
  if (planned.kind !== 'planned') return planned
  try {
    const result = await withKey(ctx, signer, (key) => sign(ctx, { signer, input, planned, key }))
    return result ?? waits({ code: 'vault_locked' })
  } catch (error) {
    if (error instanceof NotStarted) return error.result
    throw error
  }
}

function waits(why: SendWait): StartResult {
  return { kind: 'waits', why }
}

/** Rolls the transaction back and carries what the caller gets. */
class NotStarted extends Error {
  readonly result: StartResult

  constructor(result: StartResult) {
    super('A send was not started')
    this.name = 'NotStarted'
    this.result = result
  }
}

async function planOnChain(ctx: Context, signer: Signer, input: StartSend): Promise<PlannedOnChain | StartResult> {
  const from = signer.key.address
  try {
    const session = await openSession(ctx, input.blockchainId)
    if (!session) return waits({ code: 'chain_down', reason: 'No node of it is switched on.' })
    const chain = await sequencesOf(signer, session)
    const plan = await signer.sender.plan(session, { from, intent: input.intent, maxFee: input.maxFee })
    if (plan.kind === 'planned') return { ...plan, chain }
    const { why } = plan
    if (why.code === 'short_of_coin') await noteLowWallet(ctx, signer, why)
    return why.code === 'would_fail' || why.code === 'gas_above_cap' ? { kind: 'refused', why } : waits(why)
  } catch (error) {
    if (!isNodesFault(error)) throw error
    return waits({ code: 'chain_down', reason: error.message })
  }
}

function isNodesFault(error: unknown): error is Error {
  return (
    error instanceof RetryableRpcError ||
    error instanceof NodeRejected ||
    (error instanceof ApiError && error.code === 'NODE_WRONG_NETWORK')
  )
}

type Signing = {
  readonly signer: Signer
  readonly input: StartSend
  readonly planned: PlannedOnChain
  readonly key: Uint8Array
}

async function sign(ctx: Context, { signer, input, planned, key }: Signing): Promise<StartResult> {
  const chain = chainIn(ctx.config.network, signer.row.definition)
  return inTransaction(ctx, async (tx) => {
    await lockSigner(tx, input.walletId)
    const choice = await chooseSequence(tx, input, planned.chain)
    if (choice !== null && typeof choice !== 'bigint') return choice
    const unsigned = { ...planned.tx, sequence: choice }
    const send = await insertSend(tx, newSend(signer, input, planned, choice), input.item)
    const signed = signer.sender.sign(chain, unsigned, key)
    await insertAttempt(tx, send.id, 1, { tx: unsigned, signed })
    await intendAttempt(tx, send, signed.txId, input.item)
    await reserve(tx, send)
    await clearLowWallet(tx, signer)
    const started = { sendId: send.id, txId: signed.txId, from: send.from, feeCeiling: send.feeCeiling }
    if (!(await input.within(tx, started))) throw new NotStarted({ kind: 'declined' })
    tx.events.announce(tx, { name: 'send.due', projectId: null, data: { blockchainId: input.blockchainId } })
    return { kind: 'started', send: started }
  })
}

/** The sequence to sign with (null in families that have none), or why nothing is signed. */
async function chooseSequence(
  tx: Context,
  input: StartSend,
  chain: SeenSequences | null,
): Promise<bigint | null | StartResult> {
  const { walletId, blockchainId } = input
  const own = await readSigner(tx, walletId, blockchainId)
  if (own.isLocked || (await isSpentOutside(tx, input))) return waits({ code: 'wallet_locked' })
  if (chain === null) return own.inFlight >= MOST_IN_FLIGHT ? waits({ code: 'busy' }) : null
  const choice = nextSequence({ ...own, chain })
  if (choice.kind === 'take') return choice.sequence
  // Only one of two nodes says so: its word neither locks the wallet nor lets it sign.
  if (choice.kind === 'used_elsewhere' && chain.agreed.mined <= choice.expected) {
    return waits({ code: 'chain_down', reason: 'Two nodes do not say the same of its wallet.' })
  }
  if (choice.kind === 'used_elsewhere') {
    const code = own.highest === null ? 'behind' : 'used_elsewhere'
    await lockWallet(tx, { walletId, blockchainId, code, expected: choice.expected, found: choice.found })
  }
  return waits(waitOf(choice))
}

function waitOf({ kind }: Exclude<SequenceChoice, { kind: 'take' }>): SendWait {
  if (kind === 'used_elsewhere') return { code: 'wallet_locked' }
  return kind === 'stale' ? { code: 'chain_down', reason: 'Its node has not seen what others had.' } : { code: 'busy' }
}

function newSend({ row, key }: Signer, input: StartSend, planned: PlannedOnChain, sequence: bigint | null): NewSend {
  const { intent, walletId, blockchainId, purpose, projectId } = input
  const native = nativeAssetId(row)
  const assetId = intent.kind === 'transfer' ? intent.assetId : native
  return {
    ...{ walletId, blockchainId, purpose, projectId, sequence },
    from: key.address,
    assetId: intent.units > 0n ? assetId : null,
    units: intent.units,
    to: intent.to,
    feeAssetId: native,
    feeCeiling: input.maxFee,
    plannedHeight: planned.height,
  }
}

function nativeAssetId({ code }: BlockchainRow): number {
  const asset = ASSETS.find(({ blockchain, standard }) => blockchain === code && standard === 'native')
  if (!asset) throw new Error(`${code} has no coin of its own`)
  return asset.id
}

/** Reserves the amount and the whole fee ceiling, so that booking what the chain decides never overdraws an account. */
async function reserve(tx: Context, send: Send): Promise<void> {
  const short = (code: 'float_short_of_asset' | 'float_short_of_coin') => (error: unknown) => {
    throw error instanceof Overdrawn ? new NotStarted(waits({ code })) : error
  }
  await post(tx, amountEntries(send)).catch(short('float_short_of_asset'))
  await post(tx, [ceilingEntry(send)]).catch(short('float_short_of_coin'))
}
