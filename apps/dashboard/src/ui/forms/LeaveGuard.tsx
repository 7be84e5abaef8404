import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'

import { paths } from '../../lib/paths.ts'
import { ConfirmDialog } from '../overlays/ConfirmDialog.tsx'

/** Where an ended session leads; the guard never blocks it. */
const WAYS_OUT = [paths.signIn, paths.signOut, paths.forgotPassword]

/** Query keys whose value is a part of the page that goes when another is chosen. */
const TABS = ['tab', 'tabId']

export type LeaveGuardProps = {
  /** Whether something would be lost. */
  readonly isDirty: boolean
  /** It lies over the page, and any other address takes it away, such as that of the drawer below it. */
  readonly liesOver?: boolean
  readonly title?: string
  readonly text?: string
}

/** Asks before a page or tab with something to lose is left, inside the app or by closing the browser's tab. */
export function LeaveGuard({
  isDirty,
  liesOver = false,
  title = t`Leave without saving?`,
  text = t`The changes on this page are not saved yet.`,
}: LeaveGuardProps) {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && !WAYS_OUT.some((path) => path.matches(next.pathname)) && (liesOver || isElsewhere(current, next)),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={title}
      action={t({ message: 'Leave', comment: 'leave the page; what is not saved is lost' })}
      keep={t`Stay here`}
      onClose={reset}
      onConfirm={async () => proceed()}
    >
      <p className="text-body">{text}</p>
    </ConfirmDialog>
  )
}

type Place = { readonly pathname: string; readonly search: unknown }

function isElsewhere(current: Place, next: Place): boolean {
  const tabOf = ({ search }: Place) => {
    const values = typeof search === 'object' && search !== null ? Object.entries(search) : []
    return JSON.stringify(values.filter(([name]) => TABS.includes(name)))
  }
  return current.pathname !== next.pathname || tabOf(current) !== tabOf(next)
}
