/** What a project or its networks lack before they take payments. */
import type { NetworkObstacle, Readiness } from '@kassa/contract/payments/readiness.ts'
import { plural, t } from '@lingui/core/macro'

import { listText } from '../lib/text/list-text.ts'
import { networkStopText } from './networks/network-words.ts'

type Missing = Readiness['missing'][number]

const MISSING: Readonly<Record<Missing['kind'], (params: Missing['params']) => string>> = {
  site_url: () => t`Set the public URL.`,
  node: () => t`Add a node for at least one network.`,
  asset: () => t`Accept an asset on a network that has a node.`,
  wallet: ({ networks = [] }) => {
    const names = listText(networks, 'conjunction')
    return t`Add a deposit wallet for ${names}.`
  },
}

const OBSTACLES: Readonly<Record<NetworkObstacle['kind'], (params: NetworkObstacle['params']) => string>> = {
  switched_off: () => t`It is switched off.`,
  no_node: () => t`It has no node.`,
  stopped: ({ cause, reason = '' }) => (cause === undefined ? reason : networkStopText(cause)),
  not_read: ({ network = '' }) => t`${network} is not read yet.`,
  behind: ({ network = '', lagBlocks = 0 }) =>
    t`${network} answers slowly: ${plural(lagBlocks, { one: '# block', other: '# blocks' })} behind.`,
  no_wallet: () => t`No deposit wallet yet.`,
  no_addresses: () => t`Every address of the list is in use. Add addresses to the wallet.`,
}

/** Returns what a project lacks, as a request to set it up. */
export function missingText({ kind, params }: Pick<Missing, 'kind' | 'params'>): string {
  return MISSING[kind](params)
}

/** Returns why a network does not take payments. */
export function obstacleText({ kind, params }: Pick<NetworkObstacle, 'kind' | 'params'>): string {
  return OBSTACLES[kind](params)
}
