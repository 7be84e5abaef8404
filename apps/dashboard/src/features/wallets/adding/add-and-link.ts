import type { NewDepositWallet, Wallet } from '@kassa/contract/wallets/schemas.ts'
import { useRef } from 'react'

import { useAddDepositWallet, useLinkWallet } from '../../../api/wallets.ts'
import type { Account } from '../account/derive-account.ts'

type NewXpub = NewDepositWallet['xpubs'][number]

export type WalletToAdd = {
  readonly name: string
  readonly account: Account
  readonly projectIds: readonly number[]
}

/** A key as the server takes it: with its path where that says which addresses it has. */
export function keyToAdd({ family, xpub, path, needsPath }: Account): NewXpub {
  return needsPath ? { family, xpub, path } : { family, xpub }
}

/**
 * Returns the function that adds a wallet together with its first project, then links the others. A second press after
 * a failure in between goes on where the first one ended. @throws RequestError
 */
export function useAddAndLink(): (wallet: WalletToAdd) => Promise<Wallet> {
  const add = useAddDepositWallet()
  const link = useLinkWallet()
  const added = useRef<Wallet>(undefined)
  return async ({ name, account, projectIds }) => {
    const before = added.current
    const { family } = account
    const [projectID] = projectIds
    const body = { name, xpubs: [keyToAdd(account)], ...(projectID === undefined ? {} : { projectID }) }
    const wallet = before ?? (await add(body))
    added.current = wallet
    // Adding a wallet never replaces one, nor one that was unlinked: linking does, with its own confirmation.
    const links = before === undefined ? wallet.externalPlatformWallets : []
    const isLinked = (id: number) => links.some(({ externalPlatformID }) => externalPlatformID === id)
    for (const projectId of projectIds.filter((id) => !isLinked(id))) {
      await link({ projectId, walletId: wallet.id, family })
    }
    return wallet
  }
}
