import { t } from '@lingui/core/macro'

import { RequestError } from '../api/request-error.ts'
import { NothingToSign } from '../lib/device/owner-wallet.ts'
import { isBusy, isDeclined, isLocked, isUnknownNetwork } from '../lib/device/wallet-errors.ts'

/** Returns why a wallet of the browser has not sent what it was asked to, and whether it may have. */
export function walletFailure(thrown: unknown): string {
  const early = connectFailure(thrown)
  if (early !== undefined) return early
  if (isUnknownNetwork(thrown)) return t`Your wallet doesn’t know this network. Add it there first. Nothing was sent.`
  if (thrown instanceof NothingToSign) {
    return thrown.isShort
      ? t`The account has too little for the network fee. Nothing was sent.`
      : t`The contract would revert this call. Nothing was sent.`
  }
  // The server sends what a wallet of TRON signs, and says itself why it was not taken.
  if (thrown instanceof RequestError) return thrown.message
  return t`The wallet didn’t say whether it sent the transaction. Look there before you try again.`
}

/** Returns why a wallet has not let this page in; undefined where it does not say. */
export function connectFailure(thrown: unknown): string | undefined {
  if (isDeclined(thrown)) return t`You declined. Nothing was sent.`
  if (isLocked(thrown)) return t`Your wallet is locked. Unlock it, then try again.`
  if (isBusy(thrown)) return t`Your wallet still waits for your answer. Open it, then try again.`
  return undefined
}
