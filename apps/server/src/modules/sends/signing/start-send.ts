import { chainIn } from '@kassa/chains/chain.ts'
import type { SendPurpose } from '@kassa/contract/sends/machine.ts'
import { ASSETS } from '@kassa/primitives/chains/assets.ts'

import { type Context, inTransaction } from '../../../context.ts'
import type { BlockchainRow } from '../../blockchains/chains/service.ts'
import { Overdrawn, post } from '../../ledger/service.ts'
import { amountEntries, ceilingEntry } from '../record/postings.ts'
import type { Send, SendItem } from '../record/send.ts'
import { insertAttempt, insertSend, lockSigner, type NewSend } from '../record/store.ts'
import { lockWallet } from '../record/wallet-locks.ts'
import { chooseSequence } from './choose-sequence.ts'
import { findSigner, type Signer, withKey } from './hot-key.ts'
import { intendAttempt } from './intend.ts'
import { clearLowWallet, noteLowWallet } from './low-wallet.ts'
import { type PlannedOnChain, planOnChain, type SendPlan, type SendRefusal, type SendWait } from './plan-on-chain.ts'

/** Its `maxFee` is reserved in full. */
export type StartSend = SendPlan & {
  readonly purpose: SendPurpose
  /** Whose network fee it is; null for the install. */
  readonly projectId: number | null
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

export type StartResult =
  | { readonly kind: 'started'; readonly send: StartedSend }
  | { readonly kind: 'waits'; readonly why: SendWait }
  /** It would fail on the chain: asking again changes nothing. */
  | { readonly kind: 'refused'; readonly why: SendRefusal }
  /** `within` said no. */
  | { readonly kind: 'declined' }

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
  if (planned.kind === 'waits' && planned.why.code === 'short_of_coin') await noteLowWallet(ctx, signer, planned.why)
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
    const choice = await takeSequence(tx, input, planned)
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

/** The sequence to sign with (null in families that have none), or why nothing is signed; locks a wallet used elsewhere. */
async function takeSequence(
  tx: Context,
  { walletId, blockchainId }: StartSend,
  planned: PlannedOnChain,
): Promise<bigint | null | StartResult> {
  const choice = await chooseSequence(tx, { walletId, blockchainId }, planned)
  if (choice.kind === 'take') return choice.sequence
  if (choice.lock) await lockWallet(tx, { walletId, blockchainId, ...choice.lock })
  return waits(choice.why)
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
