import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'

import type { StatusBadgeProps } from '../../ui/facts/StatusBadge.tsx'
import type { FilterOption } from '../../ui/filters/filter-fields.ts'

/** What a member's state is called, and its tone. */
export function stateBadge({ state, resetPasswordRequired }: Operator): StatusBadgeProps {
  if (state === 'invited') return { tone: 'info', word: t`Invited`, wire: state }
  if (state === 'inactive') return { tone: 'neutral', word: t`No access`, wire: state }
  if (resetPasswordRequired) return { tone: 'warning', word: t`Must choose a password`, wire: state }
  return { tone: 'success', word: t`Active`, wire: state }
}

/** The states a list may be narrowed to. */
export function stateOptions(): FilterOption[] {
  return [
    { value: 'active', label: t`Active` },
    { value: 'invited', label: t`Invited` },
    { value: 'inactive', label: t`No access` },
  ]
}
