import type { UnlistedNotice } from '@kassa/contract/unlisted-transfers/schemas.ts'
import { t } from '@lingui/core/macro'

import { fullAmount, shortAddress } from '../lib/text/format.ts'

type Claims = Pick<UnlistedNotice, 'symbol' | 'isLookAlike' | 'amount'>

/** Names a token that Kassa does not list, as far as its unverified name can be shown. */
export function unlistedToken({ symbol, isLookAlike, amount, contract }: Claims & { contract: string }): string {
  if (isLookAlike) return t`A token that imitates a listed currency`
  if (amount !== null && symbol !== null) return fullAmount(amount, symbol)
  if (symbol !== null) return symbol
  const short = shortAddress(contract)
  return t`A token at the contract ${short}`
}
