import type { Wallet } from '@kassa/contract/wallets/schemas.ts'

/** A project, and the wallet its customers get addresses of. */
export type ProjectOption = {
  readonly id: number
  readonly name: string
  readonly walletId?: number
  readonly walletName?: string
}

/** Names for each project the wallet of one chain family that it uses; `wallets` are those of the family. */
export function projectsFor(
  projects: readonly { readonly id: number; readonly name: string }[],
  wallets: readonly Wallet[],
): ProjectOption[] {
  return projects.map(({ id, name }) => {
    const used = wallets.find((wallet) => wallet.externalPlatformWallets.some((link) => link.externalPlatformID === id))
    return used === undefined ? { id, name } : { id, name, walletId: used.id, walletName: used.name }
  })
}
