import { t } from '@lingui/core/macro'
import { useLocation } from '@tanstack/react-router'

import { useCan } from '../../api/me.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { SendingHeld } from './SendingHeld.tsx'

/** Links the screens about outgoing money to each other, and says there what holds all of it. */
export function WithdrawLinks() {
  const can = useCan()
  return (
    <>
      <Links />
      {can('payout:read') && <SendingHeld />}
    </>
  )
}

function Links() {
  const can = useCan()
  const pathname = useLocation({ select: (location) => location.pathname })
  const links = [
    { href: paths.referralPayouts(), label: t`Referral payouts`, isShown: can('referral:read') },
    { href: paths.payouts(), label: t`Payouts`, isShown: can('payout:read') },
    { href: paths.approvals(), label: t`Approvals`, isShown: can('payout:read') },
    { href: paths.recipients(), label: t`Recipients`, isShown: can('recipient:read') },
  ]
  return (
    <nav aria-label={t`Withdraw`} className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-body">
      {links
        .filter(({ isShown }) => isShown)
        .map(({ href, label }) =>
          pathname === href ? (
            <span key={href} aria-current="page" className="font-semibold">
              {label}
            </span>
          ) : (
            <TextLink key={href} href={href}>
              {label}
            </TextLink>
          ),
        )}
    </nav>
  )
}
