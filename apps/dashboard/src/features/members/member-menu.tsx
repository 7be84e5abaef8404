import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { KeyRound, Link, LogIn, LogOut, Mail, Monitor, Pencil, ShieldOff, Trash2, UserCog } from 'lucide-react'

import type { MenuItem } from '../../ui/actions/Menu.tsx'

/** What opens a dialog about a member. */
export type MemberAction =
  | 'edit'
  | 'role'
  | 'revoke'
  | 'remove'
  | 'require-reset'
  | 'reset-link'
  | 'devices'
  | 'remove-factor'

export type MemberMenuOptions = {
  readonly offReason: string | undefined
  /** Whether the operator may help a member who lost a second factor. */
  readonly mayRemoveFactor: boolean
  readonly onOpen: (action: MemberAction) => void
  readonly onActivate: () => void
  readonly onSendAgain: () => void
}

/** Returns what may be done about a member in this state; what is not theirs to do stays and says why. */
export function memberMenu({ state, secondFactor }: Operator, options: MemberMenuOptions): MenuItem[] {
  const { offReason, mayRemoveFactor, onOpen, onActivate, onSendAgain } = options
  const open = (action: MemberAction) => () => onOpen(action)
  const items: (MenuItem | false)[] = [
    { label: t`Edit`, icon: <Pencil aria-hidden />, onSelect: open('edit') },
    { label: t`Change role`, icon: <UserCog aria-hidden />, onSelect: open('role') },
    state === 'invited' && { label: t`Send again`, icon: <Mail aria-hidden />, onSelect: onSendAgain },
    state === 'active' && { label: t`Signed-in devices`, icon: <Monitor aria-hidden />, onSelect: open('devices') },
    // Also for who is invited: a mail server may take an invitation that never arrives.
    state !== 'inactive' && { label: t`Reset link`, icon: <Link aria-hidden />, onSelect: open('reset-link') },
    state === 'active' && {
      label: t`Ask for a new password`,
      icon: <KeyRound aria-hidden />,
      onSelect: open('require-reset'),
    },
    secondFactor &&
      mayRemoveFactor && {
        label: t`Remove second factor`,
        icon: <ShieldOff aria-hidden />,
        onSelect: open('remove-factor'),
      },
    state === 'inactive'
      ? { label: t`Activate`, icon: <LogIn aria-hidden />, onSelect: onActivate, divided: true }
      : {
          label: t`Revoke access`,
          icon: <LogOut aria-hidden />,
          onSelect: open('revoke'),
          danger: true,
          divided: true,
        },
    { label: t`Remove`, icon: <Trash2 aria-hidden />, onSelect: open('remove'), danger: true },
  ]
  return items.filter((item) => item !== false).map((item) => ({ ...item, offReason }))
}
