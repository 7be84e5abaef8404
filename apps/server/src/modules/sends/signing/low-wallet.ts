import type { ChainSession } from '@kassa/chains/adapter.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import type { BlockchainRow } from '../../blockchains/chains/service.ts'
import { readHeldNow } from '../../blockchains/nodes/service.ts'
import type { Send } from '../record/send.ts'
import { subjectOf } from '../record/wallet-locks.ts'
import type { Signer } from './hot-key.ts'

type Low = { readonly row: BlockchainRow; readonly key: { readonly walletId: number; readonly address: string } }

/** Raises the alarm that a wallet holds too little of the native coin for what it is to send. */
export async function noteLowWallet(
  ctx: Context,
  { row, key }: Low,
  { needed, held }: { readonly needed: bigint; readonly held: bigint },
): Promise<void> {
  const { code, nativeCurrency, nativeDecimals } = row.definition
  await raiseAlarm(ctx, {
    kind: 'hot_wallet_low',
    subject: subjectOf(key.walletId, code),
    params: {
      walletID: key.walletId,
      blockchainCode: code,
      currencyCode: nativeCurrency,
      address: key.address,
      needed: formatUnits(needed, nativeDecimals),
      held: formatUnits(held, nativeDecimals),
    },
  })
}

/** Clears the alarm: the wallet could pay for a transaction. */
export async function clearLowWallet(ctx: Context, { row, key }: Signer): Promise<void> {
  await clearAlarm(ctx, { kind: 'hot_wallet_low', subject: subjectOf(key.walletId, row.definition.code) })
}

/** Raises the same alarm when only a node has noticed it; asks the node what the wallet holds. */
export async function noteLowOnChain(
  { ctx, row, session }: { readonly ctx: Context; readonly row: BlockchainRow; readonly session: ChainSession },
  { walletId, from, feeAssetId }: Pick<Send, 'walletId' | 'from' | 'feeAssetId'>,
  needed: bigint,
): Promise<void> {
  const [held = 0n] = (await readHeldNow(session, [{ assetId: feeAssetId, address: from }])) ?? []
  await noteLowWallet(ctx, { row, key: { walletId, address: from } }, { needed, held })
}
