import type { UnlistedTransfer } from '@kassa/contract/unlisted-transfers/schemas.ts'

import { shownClaim } from './rules.ts'
import type { Notice } from './store.ts'

/** A notice as operators see it. */
export function noticeView(notice: Notice): UnlistedTransfer {
  return {
    id: Number(notice.id),
    contract: notice.contract,
    ...shownClaim(notice),
    blockchainCode: notice.blockchainCode,
    txHash: notice.txId,
    toAddress: notice.to,
    minedAt: notice.minedAt,
    memberID: notice.customerId,
    externalPlatformID: notice.projectId,
  }
}
