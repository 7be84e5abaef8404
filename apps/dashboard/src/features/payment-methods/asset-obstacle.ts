import { ASSET_OBSTACLES } from '@kassa/contract/blockchains/asset-obstacles.ts'
import type { ProjectAsset } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'

import { networkCauseText } from '../../labels/networks/network-reason.ts'
import { reasonText, type Words } from '../../labels/reason-text.ts'

const OBSTACLES: Words<typeof ASSET_OBSTACLES> = {
  asset_switched_off: () => t`It is switched off for the whole install.`,
  asset_changed: ({ change }) => change,
  no_node: () => t`Add a node.`,
  network_inactive: ({ cause }) => (cause === null ? t`This network is switched off.` : networkCauseText(cause)),
  network_halted: ({ cause }) => (cause === null ? t`Reading this network is halted.` : networkCauseText(cause)),
  no_wallet: () => t`No deposit wallet is linked.`,
}

/** Returns why customers cannot pay in an asset now; undefined when they can. */
export function assetObstacle({ cause }: Pick<ProjectAsset, 'cause'>): string | undefined {
  return cause === null ? undefined : reasonText(ASSET_OBSTACLES, OBSTACLES, cause)
}
