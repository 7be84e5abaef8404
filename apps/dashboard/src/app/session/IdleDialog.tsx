import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { meQuery } from '../../api/me.ts'
import { lastSessionUse } from '../../api/session-use.ts'
import { paths } from '../../lib/paths.ts'
import { useGo } from '../../lib/navigation/navigate.ts'
import { useNow } from '../../lib/time/ticker.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { minuteText, secondsLeft } from './idle-end.ts'

/** Warns two minutes before an unused session ends; any request to the server keeps it. */
export function IdleDialog() {
  const { data: me, dataUpdatedAt: toldAt } = useQuery(meQuery)
  const queryClient = useQueryClient()
  const endsAt = me?.sessionExpiresAt.getTime()
  const left = useNow((now) =>
    endsAt === undefined ? -1 : (secondsLeft({ endsAt, toldAt, usedAt: lastSessionUse() }, now.getTime()) ?? -1),
  )
  const stay = () => void queryClient.refetchQueries(meQuery)

  useEffect(() => {
    // The server says whether it is over: a call it did not tell us of may have moved the end.
    if (left === 0) void queryClient.refetchQueries(meQuery)
  }, [left, queryClient])

  return left < 0 ? null : <Warning seconds={left} onStay={stay} />
}

function Warning({ seconds, onStay }: { seconds: number; onStay: () => void }) {
  const go = useGo()
  const left = <span className="tabular-nums">{minuteText(seconds)}</span>
  const safe = useRef<HTMLButtonElement>(null)
  const foot = (
    <>
      <Button onClick={() => go(paths.signOut())}>
        <Trans>Sign out now</Trans>
      </Button>
      <Button ref={safe} kind="primary" onClick={onStay}>
        <Trans>Stay signed in</Trans>
      </Button>
    </>
  )
  return (
    <Dialog title={t`Are you still there?`} size={400} initialFocus={safe} onClose={onStay} foot={foot}>
      <p className="text-body">
        <Trans>You’ll be signed out in {left}.</Trans>
      </p>
    </Dialog>
  )
}
