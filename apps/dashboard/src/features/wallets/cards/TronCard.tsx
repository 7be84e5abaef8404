import { t } from '@lingui/core/macro'

import { FAMILY_NAMES } from '../account/families.ts'
import { FamilyCard, type FamilyWallets } from './FamilyCard.tsx'

/** The wallets whose addresses take TRX and USDT on TRON. */
export function TronCard(family: FamilyWallets) {
  return (
    <FamilyCard
      {...family}
      title={FAMILY_NAMES.TRX_Family}
      text={t`TRX and USDT on TRON`}
      empty={t`Payments on TRON aren’t possible yet.`}
    />
  )
}
