import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'

import { DeactivateDialog, DeleteDialog } from '../managing/WalletRemoval.tsx'

type Props = { readonly wallet: Wallet; readonly onClose: () => void }

/** Takes a cold wallet out of use; activated again it waits like a new one. */
export function DeactivateColdWallet(props: Props) {
  const consequences = [
    t`Until you activate it again, no deposits are moved there, not even through a contract that ends there.`,
    t`Networks swept without a contract use another active cold wallet; while they have none, deposits stay where they are.`,
    t`On mainnet it is usable 24 hours after it is activated again, and every root gets an e-mail.`,
  ]
  return <DeactivateDialog {...props} consequences={consequences} />
}

/** Deletes a cold wallet that no money has reached. */
export function DeleteColdWallet(props: Props) {
  const consequences = [
    t`It leaves this page. No money has arrived there.`,
    t`A contract that ends there moves no deposits any more.`,
    t`On mainnet, an address that is added again is used only 24 hours later.`,
  ]
  return <DeleteDialog {...props} consequences={consequences} action={t`Delete cold wallet`} />
}
