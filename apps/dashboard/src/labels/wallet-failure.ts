import { t } from '@lingui/core/macro'

import { isDeclined, isUnknownNetwork } from '../lib/device/browser-wallets.ts'

/** Returns why a wallet of the browser has not sent what it was asked to, and whether it may have. */
export function walletFailure(thrown: unknown): string {
  if (isDeclined(thrown)) return t`You declined. Nothing was sent.`
  if (isUnknownNetwork(thrown)) return t`Your wallet doesn’t know this network. Add it there first. Nothing was sent.`
  return t`The wallet didn’t say whether it sent the transaction. Look there before you try again.`
}
