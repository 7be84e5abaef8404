import { t } from '@lingui/core/macro'

import { FAMILY_NAMES } from '../account/families.ts'
import { FamilyCard, type FamilyCardProps } from './FamilyCard.tsx'
import { TransferPermissions } from './TransferPermissions.tsx'

export type EvmCardProps = Pick<FamilyCardProps, 'wallets' | 'blockchains' | 'onAdd'>

/** The EVM networks share one address per customer. */
export function EvmCard(facts: EvmCardProps) {
  const codes = facts.blockchains.map(({ code }) => code).join(' · ')
  return (
    <FamilyCard
      title={FAMILY_NAMES.ETH_Family}
      text={codes === '' ? t`Networks like Ethereum` : codes}
      none={t`Payments on EVM networks aren’t possible yet.`}
      {...facts}
    >
      {facts.wallets?.some(({ walletSubType }) => walletSubType === 'eoa') && <TransferPermissions />}
    </FamilyCard>
  )
}
