import { useBlocker } from '@tanstack/react-router'

import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'

/** Where an ended session leads; nobody may be kept from it. */
const WAYS_OUT = ['/login', '/logout']

/** Asks before a page with unsaved changes is left, inside the app or by closing the tab. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && current.pathname !== next.pathname && !WAYS_OUT.includes(next.pathname),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      keep="Stay here"
      onClose={reset}
      onConfirm={async () => proceed()}
    >
      <p className="text-body">The changes on this page are not saved yet.</p>
    </ConfirmDialog>
  )
}
