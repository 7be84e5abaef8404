import { t } from '@lingui/core/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import { FAMILY_NAMES } from '../account/families.ts'
import { FamilyCard, type FamilyWallets } from './FamilyCard.tsx'
import { TransferPermissions } from './TransferPermissions.tsx'

/** The EVM networks share one address per customer; here are the wallets those addresses come from. */
export function EvmCard(family: FamilyWallets) {
  const names = family.blockchains.map(({ code }) => networkName(code)).join(' · ')
  return (
    <FamilyCard
      {...family}
      title={FAMILY_NAMES.ETH_Family}
      text={names === '' ? t`Networks like Ethereum` : names}
      empty={t`Payments on EVM networks aren’t possible yet.`}
    >
      {family.wallets?.some(({ walletSubType }) => walletSubType === 'eoa') && <TransferPermissions />}
    </FamilyCard>
  )
}
