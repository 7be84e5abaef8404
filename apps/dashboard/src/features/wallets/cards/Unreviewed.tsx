import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { blockchainsQuery } from '../../../api/blockchains.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'

/** Says on mainnet that the sweep contracts have no external review, and how much one holds at most. */
export function Unreviewed() {
  const { data } = useQuery(blockchainsQuery)
  if (data?.[0]?.networkMode !== 'mainnet') return null
  return (
    <Banner tone="warning">
      {t`Not yet reviewed: nobody outside has checked the sweep contracts. Therefore one asset in a contract is swept when it reaches $10,000 at the latest, or at the cap that is set (sweeps.unreviewed_cap_usd).`}
    </Banner>
  )
}
