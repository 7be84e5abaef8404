import type { Permission } from '@kassa/contract/permissions.ts'
import { Trans } from '@lingui/react/macro'

import { useCan } from '../../../api/me.ts'
import { paths } from '../../../lib/paths.ts'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'

/** What moves money, or says where it goes: refused without a second factor where the install asks for one. */
const MOVES_MONEY: readonly Permission[] = [
  'payout:create',
  'payout:approve',
  'payout_policy:write',
  'wallet:write',
  'wallet:link',
]

/** Tells an operator who may move money that this install wants a second factor for it, before a refusal does. */
export function NoFactorBanner() {
  const can = useCan()
  if (!MOVES_MONEY.some((permission) => can(permission))) return null
  return (
    <div className="mb-4">
      <Banner
        tone="warning"
        action={
          <LinkButton href={paths.security()}>
            <Trans>Add a second factor</Trans>
          </LinkButton>
        }
      >
        <Trans>You have no second factor. Until you add one, you can’t move money or say where it goes.</Trans>
      </Banner>
    </div>
  )
}
