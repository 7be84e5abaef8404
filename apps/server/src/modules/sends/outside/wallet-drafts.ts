/**
 * Transactions of other people's wallets: we write them through our nodes, a wallet in the browser signs them, and we give them
 * to nodes. None of our keys signs them and no row of ours waits for them: like any transfer, what they move is booked when a
 * block holds it.
 */
import type { ChainSession, WalletDrafts } from '@kassa/chains/adapter.ts'
import type { SendIntent } from '@kassa/chains/send-intent.ts'
import type { SignedDraft } from '@kassa/chains/signing/wallet-drafts.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { WalletDraft } from '@kassa/contract/sends/wallet-drafts.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { adapterOf, type BlockchainRow } from '../../blockchains/chains/service.ts'
import { askNode } from '../../blockchains/nodes/service.ts'
import { broadcastAttempt } from '../following/broadcast-sends.ts'

type Asked = { readonly from: string; readonly intent: SendIntent }

/**
 * Writes what a wallet is to sign, on the newest block. Anybody may call it, so the last daily calls of a node stay reserved
 * for reading new blocks. Call it outside of transactions. @throws FAMILY_UNSUPPORTED, NODE_UNREACHABLE
 */
export async function draftForWallet(ctx: Context, blockchain: BlockchainRow, asked: Asked): Promise<WalletDraft> {
  const drafts = draftsOf(blockchain, asked.intent.kind)
  const draft = (session: ChainSession) => drafts.draft(session, asked)
  const { rawData, obstacle, gas, fee, held } = await askNode(ctx, blockchain, draft, 'audit')
  const coins = (units: bigint) => formatUnits(units, blockchain.definition.nativeDecimals)
  return { rawData, obstacle, gas: String(gas), fee: coins(fee), balance: coins(held) }
}

/**
 * Gives nodes what a wallet signed, once `isWanted` has accepted what it does; returns its id. Harmless to repeat.
 * @throws FAMILY_UNSUPPORTED, TRANSACTION_UNREADABLE, TRANSACTION_REFUSED, TRANSACTION_EXPIRED, NODE_UNREACHABLE when it is
 * unknown whether a node took it
 */
export async function relayFromWallet(
  ctx: Context,
  blockchain: BlockchainRow,
  { signed, kind, isWanted }: Relayed,
): Promise<string> {
  const drafts = draftsOf(blockchain, kind)
  const relay = async (session: ChainSession) => {
    const draft = drafts.read(session.chain, signed)
    if (draft === null || !isWanted(draft)) return fail('TRANSACTION_UNREADABLE')
    const { txId, raw } = draft.tx
    // One node is enough where no second one can be used.
    const other = await session.another().catch(() => null)
    const answers = await broadcastAttempt({ ctx, sender: drafts, session, other }, { txId, raw: Buffer.from(raw) })
    if (answers.some((answer) => answer === 'accepted' || answer === 'known')) return txId
    // A node that was silent may have accepted it, so the rejection of another one does not prove that nothing was sent.
    const refusal = answers.includes(null) ? null : answers.find((answer) => typeof answer === 'object')
    if (refusal?.code === 'expired') return fail('TRANSACTION_EXPIRED')
    if (refusal) return fail('TRANSACTION_REFUSED', { values: { reason: refusal.reason } })
    return fail('NODE_UNREACHABLE', { values: { reason: 'it did not say whether it took the transaction' } })
  }
  return askNode(ctx, blockchain, relay, 'audit')
}

/** What a wallet signed, which kind of transaction that may be, and whether what it does is what it is sent for. */
type Relayed = {
  readonly signed: { readonly rawData: string; readonly signature: string }
  readonly kind: SendIntent['kind']
  readonly isWanted: (draft: SignedDraft) => boolean
}

function draftsOf({ definition }: BlockchainRow, kind: SendIntent['kind']): WalletDrafts {
  const drafts = adapterOf(definition.family)?.drafts
  return drafts?.kinds.has(kind) === true ? drafts : fail('FAMILY_UNSUPPORTED')
}
