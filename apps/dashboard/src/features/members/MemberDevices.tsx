import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { failureOf } from '../../api/form-failure.ts'
import { memberSessionsQuery, useMemberChanges } from '../../api/members.ts'
import { asRequestError } from '../../api/request-error.ts'
import { deviceName } from '../../labels/people/device-name.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'

/** Where a member is signed in, and the way to end all of it. */
export function MemberDevices({ member, onClose }: { member: Operator; onClose: () => void }) {
  const { email, id } = member
  const { data, error, refetch } = useQuery(memberSessionsQuery(id))
  const { signOut } = useMemberChanges()
  const [isEnding, setEnding] = useState(false)
  const end = async () => {
    setEnding(true)
    const failure = await failureOf(() => signOut(id))
    setEnding(false)
    if (failure !== undefined) return void toast.error(failure)
    toast.success(t`Signed out: ${email}`)
    onClose()
  }
  const foot = (
    <>
      <Button onClick={onClose}>
        <Trans>Close</Trans>
      </Button>
      {data !== undefined && data.length > 0 && (
        <Button kind="danger" loading={isEnding} onClick={() => void end()}>
          <Trans>Sign out everywhere</Trans>
        </Button>
      )}
    </>
  )
  return (
    <Dialog title={t`Signed-in devices of ${email}`} locked={isEnding} onClose={onClose} foot={foot}>
      {data === undefined && error === null && (
        <>
          <LoadingText />
          <Skeleton width="60%" />
        </>
      )}
      {data === undefined && error !== null && (
        <ErrorState
          title={t`Signed-in devices couldn’t be loaded`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data?.length === 0 && (
        <p className="text-body text-muted">
          <Trans>Not signed in anywhere.</Trans>
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <ul aria-label={t`Signed-in devices`} className="flex flex-col divide-y divide-border">
          {data.map((session) => (
            <li key={session.id} className="py-3 first:pt-0 last:pb-0">
              <p className="text-body font-medium">{deviceName(session.userAgent)}</p>
              <p className="text-dense break-words text-muted">
                <bdi dir="ltr">{session.ipAddress ?? t`unknown address`}</bdi> · <TimeAgo at={session.lastSeenAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
