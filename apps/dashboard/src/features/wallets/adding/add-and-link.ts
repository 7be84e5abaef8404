import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { useRef } from 'react'

import { useAddDepositWallet, useLinkWallet } from '../../../api/wallets.ts'
import type { Account } from '../account/derive-account.ts'

export type WalletToAdd = Pick<Account, 'family' | 'xpub'> & {
  readonly name: string
  readonly projectIds: readonly number[]
}

/**
 * Returns the function that adds a wallet together with its first project, then links the others. A second press after
 * a failure in between goes on where the first one ended. @throws RequestError
 */
export function useAddAndLink(): (wallet: WalletToAdd) => Promise<Wallet> {
  const add = useAddDepositWallet()
  const link = useLinkWallet()
  const added = useRef<Wallet>(undefined)
  return async ({ name, family, xpub, projectIds }) => {
    const before = added.current
    const [projectID, ...others] = projectIds
    const body = { name, xpubs: [{ family, xpub }], ...(projectID === undefined ? {} : { projectID }) }
    const wallet = before ?? (await add(body))
    added.current = wallet
    for (const projectId of before === undefined ? others : projectIds) {
      await link({ projectId, walletId: wallet.id, family })
    }
    return wallet
  }
}
