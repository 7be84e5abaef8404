import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { subjectOf } from '../record/wallet-locks.ts'
import type { Signer } from './hot-key.ts'

/** Raises the alarm that a wallet holds too little of the native coin for what it shall send. */
export async function noteLowWallet(
  ctx: Context,
  { row, key }: Signer,
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

/** Ends the alarm: the wallet could pay for a transaction. */
export async function clearLowWallet(ctx: Context, { row, key }: Signer): Promise<void> {
  await clearAlarm(ctx, { kind: 'hot_wallet_low', subject: subjectOf(key.walletId, row.definition.code) })
}
