/**
 * Transactions of other people's wallets: written through our nodes, signed by a wallet of the browser, and given to nodes. None of
 * our keys signs them and no row of ours waits for them: what they move is booked when a block holds it, as of any transfer.
 */
import type { Chain, ChainSession } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import type { SendIntent } from '@kassa/chains/send-intent.ts'
import type { SignedDraft, WalletDraftsOf } from '@kassa/chains/signing/wallet-drafts.ts'
import { ApiError, fail } from '@kassa/contract/kit/api-error.ts'
import type { WalletDraft } from '@kassa/contract/sends/wallet-drafts.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { adapterOf, type BlockchainRow } from '../../blockchains/chains/service.ts'
import { openSession } from '../../blockchains/nodes/service.ts'
import { broadcastAttempt } from '../following/broadcast-sends.ts'

/** A person waits for it. */
const TIMEOUT_MS = 10_000

type Asked = { readonly from: string; readonly intent: SendIntent }

/**
 * Writes what a wallet is to sign, on the newest block. Anybody may ask, so it leaves the last daily calls of a node to the reading
 * of new blocks. Call it outside of transactions. @throws FAMILY_UNSUPPORTED, NODE_UNREACHABLE
 */
export async function draftForWallet(ctx: Context, blockchain: BlockchainRow, asked: Asked): Promise<WalletDraft> {
  const drafts = draftsOf(blockchain)
  return asking(async () => {
    const session = await sessionOf(ctx, blockchain)
    const { rawData, obstacle, gas, fee, held } = await drafts.draft(session, asked)
    const coins = (units: bigint) => formatUnits(units, blockchain.definition.nativeDecimals)
    return { rawData, obstacle, gas: String(gas), fee: coins(fee), balance: coins(held) }
  })
}

/**
 * Gives nodes what a wallet signed, once `isWanted` has read what it does; its id. Harmless to repeat.
 * @throws FAMILY_UNSUPPORTED, TRANSACTION_UNREADABLE, TRANSACTION_REFUSED, NODE_UNREACHABLE when nobody knows whether one took it
 */
export async function relayFromWallet(
  ctx: Context,
  blockchain: BlockchainRow,
  { signed, isWanted }: { readonly signed: Signed; readonly isWanted: (draft: SignedDraft) => boolean },
): Promise<string> {
  const drafts = draftsOf(blockchain)
  const sender = adapterOf(blockchain.definition.family)?.sender ?? fail('FAMILY_UNSUPPORTED')
  return asking(async () => {
    const session = await sessionOf(ctx, blockchain)
    const draft = drafts.read(session.chain, signed)
    if (draft === null || !isWanted(draft)) return fail('TRANSACTION_UNREADABLE')
    const { txId, raw } = draft.tx
    const other = await session.another().catch(() => null)
    const answers = await broadcastAttempt({ ctx, sender, session, other }, { txId, raw: Buffer.from(raw) })
    if (answers.some((answer) => answer === 'accepted' || answer === 'known')) return txId
    const refusal = answers.find((answer) => typeof answer === 'object' && answer !== null)
    if (refusal) return fail('TRANSACTION_REFUSED', { values: { reason: refusal.reason } })
    return fail('NODE_UNREACHABLE', { values: { reason: 'it did not say whether it took the transaction' } })
  })
}

type Signed = { readonly rawData: string; readonly signature: string }

function draftsOf({ definition }: BlockchainRow): WalletDraftsOf<Chain, ChainSession> {
  return adapterOf(definition.family)?.drafts ?? fail('FAMILY_UNSUPPORTED')
}

async function sessionOf(ctx: Context, { id, name }: BlockchainRow): Promise<ChainSession> {
  const session = await openSession(ctx, id, AbortSignal.timeout(TIMEOUT_MS), 'audit')
  return session ?? fail('NODE_UNREACHABLE', { values: { reason: `${name} has no active node.` } })
}

/** @throws NODE_UNREACHABLE for what a node did not answer, or refused */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    const isLate = thrown instanceof Error && (thrown.name === 'TimeoutError' || thrown.name === 'AbortError')
    const isOfNode = thrown instanceof RetryableRpcError || thrown instanceof NodeRejected
    const isUnusable = thrown instanceof ApiError && thrown.code === 'NODE_WRONG_NETWORK'
    if (!isLate && !isOfNode && !isUnusable) throw thrown
    const reason = isLate ? `no answer in ${TIMEOUT_MS / 1000} s` : thrown.message
    return fail('NODE_UNREACHABLE', { values: { reason }, cause: thrown })
  }
}
