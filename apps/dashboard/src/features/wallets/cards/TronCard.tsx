import { t } from '@lingui/core/macro'

import { FAMILY_NAMES } from '../account/families.ts'
import { FamilyCard, type FamilyCardProps } from './FamilyCard.tsx'

export type TronCardProps = Pick<FamilyCardProps, 'wallets' | 'blockchains' | 'onAdd'>

/** The wallets whose addresses take TRX and USDT on TRON. */
export function TronCard(facts: TronCardProps) {
  return (
    <FamilyCard
      title={FAMILY_NAMES.TRX_Family}
      text={t`TRX and USDT on TRON`}
      none={t`Payments on Tron aren’t possible yet.`}
      {...facts}
    />
  )
}
