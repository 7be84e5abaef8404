import type { Deposit as DepositShape } from '@kassa/contract/deposits/schemas.ts'
import { DEPOSIT_WAITS } from '@kassa/contract/deposits/waits.ts'
import { withText } from '@kassa/contract/kit/reason.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Asset } from '../blockchains/chains/service.ts'
import type { Deposit } from './deposit.ts'

/** A deposit with what its view needs. */
export type ShownDeposit = { readonly deposit: Deposit; readonly asset: Asset; readonly confirmations: number }

/** A transfer as operators see it. */
export function depositView({ deposit, asset, confirmations }: ShownDeposit, referenceID: string | null): DepositShape {
  const waits = waitsView(deposit)
  return {
    id: Number(deposit.id),
    createdAt: deposit.seenAt,
    blockchainCode: asset.blockchainCode,
    currencyCode: asset.currencyCode,
    txHash: deposit.txId,
    leg: deposit.leg,
    blockNumber: deposit.height,
    fromAddress: deposit.from,
    toAddress: deposit.to,
    amount: formatUnits(deposit.units, asset.decimals),
    amountInUSD: deposit.usdAtSeen,
    confirmations,
    confirmationRequired: deposit.confirmationsRequired,
    status: deposit.status,
    reason: deposit.reason,
    waits,
    waitsBecause: waits && waits.text,
    referenceID,
    memberID: deposit.customerId,
    externalPlatformID: deposit.projectId,
  }
}

/** Why a deposit that is deep enough is not final; null when nothing prevents it. */
export function waitsView({ waits }: Pick<Deposit, 'waits'>): DepositShape['waits'] {
  return waits && withText(DEPOSIT_WAITS, { code: waits, params: {} })
}
