import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import type { Context } from '../../../context.ts'
import { siteUrl } from '../../settings/service.ts'
import { listOwnExplorers } from './store.ts'

/** Where transactions and addresses can be looked up; null where a network has no such page. */
export type ExplorerLinks = {
  readonly transaction: (blockchainId: number, txId: string | null) => string | null
  readonly address: (blockchainId: number, address: string) => string | null
}

/** The explorers of this install: those that operators chose, else the usual ones; for the sandbox, Kassa's own page. */
export async function explorerLinks(ctx: Context): Promise<ExplorerLinks> {
  const [explorers, site] = [await listOwnExplorers(ctx), (await siteUrl(ctx)) ?? '']
  const absolute = (link: string) => (link === '' ? null : link.startsWith('/') ? `${site}${link}` : link)
  const network = (id: number) => findBlockchain(id)?.networks[ctx.config.network]
  return {
    transaction: (id, txId) => {
      if (txId === null) return null
      const own = explorers.get(findBlockchain(id)?.code ?? '')
      return absolute((own ?? network(id)?.explorerTransaction ?? '').replace('{tx}', txId))
    },
    address: (id, address) => absolute((network(id)?.explorerAddress ?? '').replace('{address}', address)),
  }
}
