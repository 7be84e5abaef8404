import type { Session } from '@kassa/contract/auth/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Monitor } from 'lucide-react'
import { useState } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { failureOf } from '../../api/form-failure.ts'
import { logOutEverywhere, sessionsQuery, useEndSession } from '../../api/sessions.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { deviceName } from '../../labels/people/device-name.ts'

/** Where the operator is signed in, and the ways to end it: in one place, or everywhere. */
export function SignedInDevices() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  return (
    <Card
      title={t`Signed-in devices`}
      text={t`End what you don’t know, then change your password.`}
      actions={<EverywhereButton />}
    >
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
      {data !== undefined && (
        <ul aria-label={t`Signed-in devices`} className="flex flex-col divide-y divide-border">
          {data.map((session) => (
            <Device key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Device({ session }: { session: Session }) {
  const end = useEndSession()
  const [isEnding, setEnding] = useState(false)
  const name = deviceName(session.userAgent)
  const address = <bdi dir="ltr">{session.ipAddress ?? t`unknown address`}</bdi>
  const lastUsed = <TimeAgo at={session.lastSeenAt} />
  const since = <TimeAgo at={session.createdAt} />
  const signOut = async () => {
    setEnding(true)
    const failure = await failureOf(() => end(session.id))
    setEnding(false)
    if (failure === undefined) toast.success(t`Signed out: ${name}`)
    else toast.error(failure)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Monitor aria-hidden size={20} strokeWidth={1.75} className="text-muted" />
      <div className="min-w-0 flex-1">
        <p className="text-body font-medium">{name}</p>
        <p className="text-dense break-words text-muted">
          <Trans>
            {address} · last used {lastUsed} · since {since}
          </Trans>
        </p>
      </div>
      {session.current ? (
        <StatusBadge tone="success" word={t`This device`} />
      ) : (
        <Button loading={isEnding} onClick={() => void signOut()} title={t`Sign out ${name}`}>
          <Trans>Sign out</Trans>
        </Button>
      )}
    </li>
  )
}

function EverywhereButton() {
  const [isAsked, setAsked] = useState(false)
  const confirm = async () => {
    const failure = await failureOf(logOutEverywhere)
    if (failure === undefined) return
    setAsked(false)
    toast.error(failure)
  }
  return (
    <>
      <Button onClick={() => setAsked(true)}>
        <Trans>Sign out everywhere</Trans>
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t`Sign out everywhere?`}
          action={t`Sign out everywhere`}
          onConfirm={confirm}
          onClose={() => setAsked(false)}
        >
          <Trans>Every browser and program that is signed in as you is signed out, this one too.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
