import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { count } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { FAMILY_NAMES } from '../account/families.ts'
import { FamilyCard, type FamilyWallets } from './FamilyCard.tsx'

/** Addresses are counted in steps, so that the number to set does not change with each customer. */
const STEP = 100

/** Bitcoin’s wallets, and what one’s own wallet needs to find all of their money. */
export function BitcoinCard(family: FamilyWallets) {
  const { wallets = [], onAdd } = family
  const most = Math.max(0, ...wallets.map(({ addressCount }) => addressCount))
  const gap = count((Math.floor(most / STEP) + 1) * STEP)
  return (
    <FamilyCard
      {...family}
      title={FAMILY_NAMES.BTC_Family}
      text="BTC"
      empty={t`Payments in Bitcoin aren’t possible yet.`}
    >
      <p className="text-dense text-muted">
        <Trans>
          Set the gap limit of your own wallet to {gap} or more. Customers who never paid leave unused addresses between
          used ones, and most wallets stop looking after 20 of them.
        </Trans>
      </p>
      {onAdd !== undefined && (
        <div>
          <Button size="small" onClick={onAdd}>
            <Trans>Add another key</Trans>
          </Button>
        </div>
      )}
    </FamilyCard>
  )
}
