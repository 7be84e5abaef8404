import type { PayoutBalance } from '@kassa/contract/withdrawals/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { t } from '@lingui/core/macro'

import { assetAmount } from '../../../lib/text/format.ts'
import { isAmount, isMore } from './amounts.ts'

/** Returns what is available for a payout, and what limits it: what the project earned, or the network fee in the same coin. */
export function availableText({ blockchainCode, currencyCode, available, payable }: PayoutBalance): string {
  const free = assetAmount(available, currencyCode)
  if (isAmount(available) && isMore(available, payable)) {
    const most = assetAmount(payable, currencyCode)
    return t`${free} is free in the hot wallet; this project has earned ${most} of it.`
  }
  const isNative = findBlockchain(blockchainCode)?.nativeCurrency === currencyCode
  return isNative
    ? t`${free} is free in the hot wallet, which pays the network fee from it too: leave some.`
    : t`${free} is free in the hot wallet.`
}
